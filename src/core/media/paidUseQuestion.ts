import * as l10n from '@vscode/l10n';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { markdownText } from '../safety/markdownText.ts';
import { costSentence } from '../models/priceWords.ts';
import { costText } from '../../words/amount.ts';
import { clipLengthText } from '../../words/duration.ts';
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

/**
 * The requested properties of a video: `5 s · 720p · 24 fps · 16:9 · draft`. Empty if everything is left to the
 * service.
 */
export function videoForm(form: {
  readonly duration?: number;
  readonly resolution?: string;
  readonly fps?: number;
  readonly aspect_ratio?: string;
  readonly draft?: boolean;
}): string {
  const { duration, resolution, fps, aspect_ratio: aspectRatio, draft } = form;
  const facts = [
    duration === undefined ? undefined : clipLengthText(duration),
    resolution,
    fps === undefined ? undefined : l10n.t('{0} fps', fps),
    aspectRatio,
    draft === true ? l10n.t('draft') : undefined,
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}
