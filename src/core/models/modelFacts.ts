import * as l10n from '@vscode/l10n';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { withEstimateMark } from '../../shared/estimateMark.ts';
import { numberText } from '../../words/numberText.ts';
import { kindText } from './kindText.ts';
import { kindOf, mayChat } from './modelAbilities.ts';
import { statedPrices } from './priceWords.ts';

/** How fast a model was here: medians of the requests made from this machine. */
export interface ModelSpeed {
  readonly firstTokenSeconds?: number;
  readonly tokensPerSecond?: number;
  /** Some of it is of tokens that were counted from the text. */
  readonly isRateEstimated?: boolean;
}

/** The facts of one row, the price last, where it is cut first: `128k · 0.31 s · 84 tok/s · 0.15 → 0.60/M`. Empty when nothing is known. */
export function modelFacts(model: ModelInfo, speed: ModelSpeed = {}): string {
  const facts: (string | undefined)[] = [];
  if (model.kind !== undefined && !mayChat(model)) facts.push(kindText(kindOf(model), model.kind));
  if (model.contextWindow !== undefined) facts.push(compactTokens(model.contextWindow));
  facts.push(...speedFacts(speed), priceFact(model));
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

/** `0.31 s`, `84 tok/s`: those that were measured. */
export function speedFacts({
  firstTokenSeconds,
  tokensPerSecond,
  isRateEstimated = false,
}: ModelSpeed): readonly string[] {
  return [
    ...(firstTokenSeconds === undefined ? [] : [l10n.t('{0} s', numberText(firstTokenSeconds, 2))]),
    ...(tokensPerSecond === undefined
      ? []
      : [l10n.t('{0} tok/s', withEstimateMark(wholeOrTenth(tokensPerSecond), isRateEstimated))]),
  ];
}

function priceFact(model: ModelInfo): string | undefined {
  const { inputPricePerMillion: input, outputPricePerMillion: output } = model;
  if (input === undefined && output === undefined) return undefined;
  if (input === undefined || output === undefined) return l10n.t('{0}/M', priceText(input ?? output ?? 0));
  // Makers of images and videos are paid for by the piece.
  if (input === 0 && output === 0) return statedPrices(model) ?? l10n.t('free');
  return l10n.t('{0} → {1}/M', priceText(input), priceText(output));
}

/** `8192` as `8k`, `131072` as `128k`, `1000000` as `1M`: sizes are powers of two as often as of ten. */
export function compactTokens(tokens: number): string {
  if (tokens < 1000) return numberText(tokens);
  const kilo = tokens % 1000 !== 0 && tokens % 1024 === 0 ? 1024 : 1000;
  const thousands = tokens / kilo;
  return thousands < 1000 ? `${wholeOrTenth(thousands)}k` : `${wholeOrTenth(thousands / kilo)}M`;
}

/** Two decimals at least, and as many as a cheap model needs: what costs something is never written as nothing. */
export function priceText(perMillion: number): string {
  const isSmall = perMillion > 0 && perMillion < 0.1;
  return numberText(perMillion, isSmall ? Math.min(9, Math.max(3, 1 - Math.floor(Math.log10(perMillion)))) : 2);
}

function wholeOrTenth(value: number): string {
  return numberText(value, 0, value < 10 ? 1 : 0);
}
