import type { ModelRef } from '../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { DotName, MeasuredGroup, MeasureOrder, SpreadName, ChangeVerdict, Workload } from '../shared/measuring.ts';
import { durationText, millisecondsText } from './duration.ts';
import { withEstimateMark } from './figureMark.ts';
import { numberText, percentText, preciseNumberText } from './numberText.ts';
import { modelLabel } from './modelLabel.ts';

/** Figures that exist once per group. */
export type TotalName = 'requestsPerSecond' | 'overallTokensPerSecond' | 'goodRequestsPerSecond' | 'costPer1000';

/** A figure's name and how it's calculated, for its tooltip. */
export interface FigureWords {
  readonly label: string;
  readonly formula: string;
}

/** docs/measuring.md has the same formulas, which a test checks. */
export function figureWords(name: SpreadName | TotalName): FigureWords {
  switch (name) {
    case 'firstMs':
      return {
        label: l10n.t('First token'),
        formula: l10n.t("Time to first token = first token that isn't empty − request sent"),
      };
    case 'tokensPerSecond':
      return {
        label: l10n.t('Tok/s'),
        formula: l10n.t('Tokens per second of a reply = (tokens − 1) / (last token − first token)'),
      };
    case 'endToEndMs':
      return { label: l10n.t('Total'), formula: l10n.t('End-to-end latency = last token − request sent') };
    case 'perTokenMs':
      return {
        label: l10n.t('Per token'),
        formula: l10n.t('Time per output token = (last token − first token) / (tokens − 1)'),
      };
    case 'gapMs':
      return {
        label: l10n.t('Between arrivals'),
        formula: l10n.t('Inter-token latency = time between two arrivals of text, across all replies'),
      };
    case 'requestsPerSecond':
      return {
        label: l10n.t('Requests/s'),
        formula: l10n.t('Requests per second = successful requests / (last response − first request sent)'),
      };
    case 'overallTokensPerSecond':
      return {
        label: l10n.t('Overall tok/s'),
        formula: l10n.t('Overall tokens per second = tokens of all replies / (last response − first request sent)'),
      };
    case 'goodRequestsPerSecond':
      return {
        label: l10n.t('Goodput'),
        formula: l10n.t('Goodput = successful requests that meet every target / (last response − first request sent)'),
      };
    case 'costPer1000':
      return {
        label: l10n.t('Price per 1,000'),
        formula: l10n.t('Price of 1,000 requests like these, at list price'),
      };
  }
}

/** `0.19 s`, `117`, `8.4 ms`: in the unit named by its heading, or with its own. */
export function spreadText(name: SpreadName, value: number): string {
  switch (name) {
    case 'firstMs':
    case 'endToEndMs':
      return durationText(value / 1000);
    case 'tokensPerSecond':
      return preciseNumberText(value);
    case 'perTokenMs':
    case 'gapMs':
      return millisecondsText(value);
  }
}

/** A figure of a group: `0.19 s`, `117`, `≈ 117`. */
export function groupFigureText(
  { isEstimate }: Pick<MeasuredGroup, 'isEstimate'>,
  name: SpreadName,
  value: number,
): string {
  return withEstimateMark(spreadText(name, value), isEstimate && isOfTokens(name));
}

/** Whether a figure is only an estimate if the number of tokens is one. */
export function isOfTokens(name: SpreadName): boolean {
  return name === 'tokensPerSecond' || name === 'perTokenMs';
}

/** `Slower by 38%`. */
export function verdictText({ kind, change }: ChangeVerdict): string {
  const percent = percentText(Math.abs(change));
  switch (kind) {
    case 'slower':
      return l10n.t('Slower by {0}', percent);
    case 'faster':
      return l10n.t('Faster by {0}', percent);
    case 'unclear':
      return l10n.t('No clear change');
    case 'tooFew':
      return l10n.t('Not enough requests to tell');
  }
}

/** The reason for a verdict: `+4%, intervals overlap`. */
export function verdictReason({ kind, change }: ChangeVerdict): string {
  const percent = `${change < 0 ? '−' : '+'}${percentText(Math.abs(change))}`;
  switch (kind) {
    case 'slower':
    case 'faster':
      return l10n.t("intervals don't overlap");
    case 'unclear':
      return l10n.t('{0}, intervals overlap', percent);
    case 'tooFew':
      return l10n.t('each run needs 5');
  }
}

export function dotWords(name: DotName): { readonly title: string; readonly unit: string } {
  switch (name) {
    case 'firstMs':
      return { title: l10n.t('First token'), unit: l10n.t('seconds') };
    case 'tokensPerSecond':
      return { title: l10n.t('Writing speed'), unit: l10n.t('tok/s of each request') };
    case 'endToEndMs':
      return { title: l10n.t('Total time'), unit: l10n.t('seconds') };
  }
}

export function workloadText(workload: Workload): string {
  switch (workload) {
    case 'shortQuestion':
      return l10n.t('Short question');
    case 'longInput':
      return l10n.t('Long input');
    case 'longOutput':
      return l10n.t('Long output');
    case 'ownText':
      return l10n.t('Own text');
    case 'promptFile':
      return l10n.t('Prompt file');
    case 'request':
      return l10n.t('Recorded request');
  }
}

export function orderText(order: MeasureOrder): string {
  switch (order) {
    case 'oneAfterAnother':
      return l10n.t('One after another');
    case 'interleaved':
      return l10n.t('Taking turns');
    case 'allAtOnce':
      return l10n.t('All models at once');
  }
}

/** For screen readers. Undefined if one of the figures is unknown. */
export function measuredSentence(model: ModelRef, group: MeasuredGroup): string | undefined {
  const { firstMs, tokensPerSecond } = group.spreads;
  if (firstMs === undefined || tokensPerSecond === undefined) return undefined;
  const first = groupFigureText(group, 'firstMs', firstMs.median);
  const rate = groupFigureText(group, 'tokensPerSecond', tokensPerSecond.median);
  return l10n.t('{0}: first token {1}, {2} tokens per second.', modelLabel(model), first, rate);
}

/** A tick on an axis: `0.25 s`. */
export function tickTimeText(milliseconds: number, decimals: number): string {
  return l10n.t('{0} s', numberText(milliseconds / 1000, 0, decimals));
}
