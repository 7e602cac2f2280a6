import * as l10n from '@vscode/l10n';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { markdownText } from '../safety/markdownText.ts';
import { costSentence } from '../models/priceWords.ts';
import { costText } from '../../words/amount.ts';
import { modelLabel } from '../../words/modelLabel.ts';

/** A request that costs money and is about to be sent. */
export interface PaidUse {
  readonly model: ModelInfo;
  /** What is sent, one entry per line, longest last. */
  readonly about: readonly string[];
  /** Its cost, in the service's own currency, if the model list has enough information. */
  readonly price?: number;
}

/**
 * The question to the user before it's sent, as Markdown. An agent's text in it is plain text, so that a link can't
 * look like ours.
 */
export function paidUseQuestion({ model, about, price }: PaidUse, host: string): string {
  return [
    l10n.t('Model: {0} at {1}', markdownText(modelLabel(model.id)), markdownText(host)),
    ...about.filter((line) => line !== '').map((line) => markdownText(line, 2000)),
    ...(price === undefined ? [] : [markdownText(l10n.t('{0} at list price', costText(price, { isEstimate: true })))]),
    markdownText(costSentence(model)),
  ].join('\n\n');
}
