import * as l10n from '@vscode/l10n';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { amountText } from '../../words/amount.ts';
import { numberText } from '../../words/numberText.ts';

/** The price of one use according to the model list, in its own words and currency; undefined if unknown. */
export function statedPrices({ raw }: ModelInfo): string | undefined {
  const { pricing } = raw;
  if (typeof pricing !== 'object' || pricing === null) return undefined;
  const prices = Object.entries(pricing).flatMap(([what, value]: [string, unknown]) => {
    const price = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof price === 'number' && Number.isFinite(price) && price > 0
      ? [`${what.slice(0, 40)} ${numberText(price, 0, 20)}`]
      : [];
  });
  return prices.length === 0 ? undefined : prices.slice(0, 6).join(', ');
}

/** The sentence about cost in a confirmation. */
export function costSentence(model: ModelInfo): string {
  const prices = statedPrices(model);
  return prices === undefined
    ? l10n.t("The model list doesn't include a price. Your account with the service is charged.")
    : l10n.t('List price: {0}. Your account with the service is charged.', prices);
}

/** `0.10 in / 0.40 out per 1M tokens`; empty if a price is missing. */
export function pricesText({
  inputPricePerMillion: input,
  outputPricePerMillion: output,
}: Partial<ModelInfo> = {}): string {
  if (input === undefined || output === undefined) return '';
  return l10n.t('{0} in / {1} out per 1M tokens', amountText(input), amountText(output));
}
