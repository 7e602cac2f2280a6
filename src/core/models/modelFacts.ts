import * as l10n from '@vscode/l10n';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { ModelFigure } from '../../shared/modelRow.ts';
import type { ModelSpeed } from '../../shared/usage.ts';
import { amountText } from '../../words/amount.ts';
import { rateText, timeText } from '../../words/replySpeed.ts';
import { compactTokens } from '../../words/tokens.ts';
import { kindText } from './kindText.ts';
import type { ModelSort } from './modelGroups.ts';
import { kindOf, mayChat } from './modelAbilities.ts';
import { statedPrices } from './priceWords.ts';

/**
 * The facts of one row, the most important first, because its end can be cut off:
 * `84 tok/s · 0.31 s · 0.15/0.60 · 128k context`. Empty if nothing is known.
 * @param sort the figure that the rows are sorted by, which comes first
 */
export function modelFacts(model: ModelInfo, speed: ModelSpeed = {}, sort: ModelSort = 'speed'): string {
  const { speed: rate, firstToken, context, price } = modelFigures(model, speed);
  const facts: Readonly<Record<ModelFigure | 'kind', string>> = {
    speed: rate,
    firstToken,
    kind: otherKind(model),
    price,
    context: context && l10n.t('{0} context', context),
  };
  const { [sort === 'name' ? 'speed' : sort]: leading, ...others } = facts;
  return [leading, ...Object.values(others)].filter((fact) => fact !== '').join(' · ');
}

/** The figures of a model, for a list with a heading above each; empty if unknown. */
export function modelFigures(model: ModelInfo, speed: ModelSpeed = {}): Readonly<Record<ModelFigure, string>> {
  const { timeToFirstTokenSeconds: first, tokensPerSecond: rate } = speed;
  return {
    speed: rate === undefined ? '' : rateText(rate),
    firstToken: first === undefined ? '' : timeText(first),
    context: model.contextWindow === undefined ? '' : compactTokens(model.contextWindow),
    price: priceFact(model) ?? '',
  };
}

/** What a model generates, if that isn't text. */
export function otherKind(model: ModelInfo): string {
  return model.kind === undefined || mayChat(model) ? '' : (kindText(kindOf(model), model.kind) ?? '');
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
