import * as l10n from '@vscode/l10n';
import { maxAttachments, maxContextLength } from '../../../shared/messageLimits.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { FigureFormat } from '../../kit/figureFormat.ts';

/** Why the page itself does not add what a person gave it. */
export const additionProblems = {
  tooMany: (): Problem =>
    warning(
      l10n.t('Too many attachments'),
      l10n.t('You can attach up to {0} items to a message. Remove one, then try again.', maxAttachments),
    ),
  noPicture: (name: string): Problem =>
    warning(
      l10n.t('Couldn\'t add "{0}"', name),
      l10n.t("The image couldn't be read or is too large. Supported formats: PNG, JPEG, WebP, and GIF."),
    ),
  late: (name: string): Problem => ({
    ...warning(
      l10n.t("Couldn't add {0}", name),
      l10n.t(
        'Nothing arrived within 15 seconds. Your message was kept. Send it without this, or remove it and try again.',
      ),
    ),
    actions: [{ kind: 'showLog', label: l10n.t('Show Log') }],
  }),
  tooLong: (name: string, figures: FigureFormat): Problem =>
    warning(
      l10n.t('"{0}" is too long', name),
      l10n.t(
        'It has more than {0} characters. Open it, select the part that matters, and add the selection.',
        figures.count(maxContextLength),
      ),
    ),
  unreadable: (name: string): Problem =>
    warning(
      l10n.t('Couldn\'t add "{0}"', name),
      l10n.t("It couldn't be read. To attach a folder's contents, drop the files instead."),
    ),
};

function warning(title: string, detail: string): Problem {
  return { severity: 'warning', title, detail, actions: [], technical: '' };
}
