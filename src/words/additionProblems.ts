import * as l10n from '@vscode/l10n';
import { maxAttachments, maxContextLength, maxTextLength } from '../shared/messageLimits.ts';
import type { ModelRef } from '../shared/modelRef.ts';
import type { Problem } from '../shared/problem.ts';
import { inline } from './inline.ts';
import { modelLabel } from './modelLabel.ts';
import { numberText } from './numberText.ts';
import { warning } from './warning.ts';

/** The title of a problem with an attachment, here and in the host. */
export function notAddedText(name: string): string {
  return l10n.t('Couldn\'t add "{0}"', inline(name, 80));
}

/** Why the chat page doesn't add what a user gave it. */
export const additionProblems = {
  tooMany: (): Problem =>
    warning(
      l10n.t('Too many attachments'),
      l10n.t('A message can have up to {0}. Remove one, then add this again.', maxAttachments),
    ),
  noPicture: (name: string): Problem =>
    warning(
      notAddedText(name),
      l10n.t("It isn't an image that can be read here, or it's too large. Add a PNG, JPEG, WebP, or GIF."),
    ),
  late: (name: string): Problem => ({
    ...warning(
      notAddedText(name),
      l10n.t(
        'Nothing arrived within 15 seconds. Your message was kept. Send it without this, or remove it and try again.',
      ),
    ),
    actions: [{ kind: 'showLog', label: l10n.t('Show Log') }],
  }),
  tooLong: (name: string): Problem =>
    warning(
      l10n.t('"{0}" is too long', name),
      l10n.t(
        'It has more than {0} characters. Open it, select the part that matters, and add the selection.',
        numberText(maxContextLength),
      ),
    ),
  unreadable: (name: string): Problem =>
    warning(notAddedText(name), l10n.t("It can't be read here. If it's a folder, drop its files instead.")),
  /** For text that is too long for the host. @param length in UTF-16 units */
  textTooLong: (length: number): Problem =>
    warning(
      l10n.t('This text is too long'),
      l10n.t(
        'It has {0} characters, and Parlance accepts {1} at once. Your text was kept.',
        numberText(length),
        numberText(maxTextLength),
      ),
    ),
};

/** The message has an image. */
export function problemOfBlindModel(model: ModelRef): Problem {
  return {
    ...warning(
      l10n.t("This model doesn't support images"),
      l10n.t('{0} accepts text only. Nothing was sent.', inline(modelLabel(model), 80)),
    ),
    actions: [{ kind: 'selectModel', label: l10n.t('Select Another Model…') }],
  };
}
