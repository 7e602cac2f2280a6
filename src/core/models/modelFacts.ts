import * as l10n from '@vscode/l10n';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { ModelSpeed } from '../../shared/usage.ts';
import { amountText } from '../../words/amount.ts';
import { rateText, timeText } from '../../words/replySpeed.ts';
import { compactTokens } from '../../words/tokens.ts';
import { kindText } from './kindText.ts';
import type { ModelSort } from './modelGroups.ts';
import { kindOf, mayChat } from './modelAbilities.ts';
import { statedPrices } from './priceWords.ts';

/**
 * The facts of one row, the most important first, because its end can be cut off: `84 tok/s · 0.31 s · 128k context ·
 * 0.15/0.60`. Empty if nothing is known.
 * @param sort the figure that the rows are sorted by, which comes first
 */
export function modelFacts(model: ModelInfo, speed: ModelSpeed = {}, sort: ModelSort = 'speed'): string {
  const { timeToFirstTokenSeconds: first, tokensPerSecond: rate } = speed;
  const facts: Readonly<Record<Exclude<ModelSort, 'name'> | 'kind', string | undefined>> = {
    speed: rate && rateText(rate),
    firstToken: first && timeText(first),
    kind: model.kind === undefined || mayChat(model) ? undefined : kindText(kindOf(model), model.kind),
    context: model.contextWindow === undefined ? undefined : l10n.t('{0} context', compactTokens(model.contextWindow)),
    price: priceFact(model),
  };
  const { [sort === 'name' ? 'speed' : sort]: leading, ...others } = facts;
  return [leading, ...Object.values(others)].filter((fact) => fact !== undefined).join(' · ');
}

/** The known ones of `84 tok/s`, `0.31 s`. */
export function speedFacts({ timeToFirstTokenSeconds: first, tokensPerSecond: rate }: ModelSpeed): readonly string[] {
  return [...(rate === undefined ? [] : [rateText(rate)]), ...(first === undefined ? [] : [timeText(first)])];
}

function priceFact(model: ModelInfo): string | undefined {
  const { inputPricePerMillion: input, outputPricePerMillion: output } = model;
  if (input === undefined && output === undefined) return undefined;
  if (output === undefined) return l10n.t('{0} in', amountText(input ?? 0));
  if (input === undefined) return l10n.t('{0} out', amountText(output));
  // Image and video models are priced per piece.
  if (input === 0 && output === 0) return statedPrices(model) ?? l10n.t('free');
  return `${amountText(input)}/${amountText(output)}`;
}
