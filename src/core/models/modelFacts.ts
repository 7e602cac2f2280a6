import * as l10n from '@vscode/l10n';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { ModelSpeed } from '../../shared/usage.ts';
import { amountText } from '../../words/amount.ts';
import { rateText, timeText } from '../../words/replySpeed.ts';
import { compactTokens } from '../../words/tokens.ts';
import { kindText } from './kindText.ts';
import { kindOf, mayChat } from './modelAbilities.ts';
import { statedPrices } from './priceWords.ts';

/** The facts of one row, what matters most first, for it is cut at its end: `84 tok/s · 0.31 s · 128k context · 0.15/0.60`. Empty when nothing is known. */
export function modelFacts(model: ModelInfo, speed: ModelSpeed = {}): string {
  const facts: (string | undefined)[] = [...speedFacts(speed)];
  if (model.kind !== undefined && !mayChat(model)) facts.push(kindText(kindOf(model), model.kind));
  if (model.contextWindow !== undefined) facts.push(l10n.t('{0} context', compactTokens(model.contextWindow)));
  facts.push(priceFact(model));
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

/** `84 tok/s`, `0.31 s`: those that are known. */
export function speedFacts({ timeToFirstTokenSeconds: first, tokensPerSecond: rate }: ModelSpeed): readonly string[] {
  return [...(rate === undefined ? [] : [rateText(rate)]), ...(first === undefined ? [] : [timeText(first)])];
}

function priceFact(model: ModelInfo): string | undefined {
  const { inputPricePerMillion: input, outputPricePerMillion: output } = model;
  if (input === undefined && output === undefined) return undefined;
  if (output === undefined) return l10n.t('{0} in', amountText(input ?? 0));
  if (input === undefined) return l10n.t('{0} out', amountText(output));
  // Makers of images and videos are paid for by the piece.
  if (input === 0 && output === 0) return statedPrices(model) ?? l10n.t('free');
  return `${amountText(input)}/${amountText(output)}`;
}
