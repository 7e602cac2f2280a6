import * as l10n from '@vscode/l10n';
import type { CompareReplyView } from '../../../shared/protocol/compareProtocol.ts';
import { endingText } from '../../../words/ending.ts';
import { modelLabel } from '../../../words/modelLabel.ts';
import { rateText, timeText } from '../../../words/replySpeed.ts';

/** @param names of models that were asked together */
export function raceStartWords(names: readonly string[]): string {
  const [only = '', ...others] = names;
  return others.length === 0 ? l10n.t('{0} is replying.', only) : l10n.t('{0} models are replying.', names.length);
}

/** How a reply ended, once per model. `kestrel/sparrow finished: 2.6 s, 118 tok/s, fastest.` */
export function raceEndWords(reply: CompareReplyView, isFastest: boolean): string | undefined {
  const { model, problem, metrics, isQueued } = reply;
  if (reply.state === 'running' || reply.state === 'elsewhere' || isQueued === true) return undefined;
  if (problem !== undefined) return l10n.t('{0} failed: {1}.', modelLabel(model), problem.title);
  const { totalSeconds, tokensPerSecond } = metrics;
  const figures = [
    totalSeconds === undefined ? '' : timeText(totalSeconds),
    tokensPerSecond === undefined ? '' : rateText(tokensPerSecond),
    endingText(reply) ?? '',
    isFastest ? l10n.t('fastest') : '',
  ].filter((part) => part !== '');
  return l10n.t('{0} finished: {1}.', modelLabel(model), figures.join(', '));
}
