import * as l10n from '@vscode/l10n';
import { maxAttachments, maxContextLength } from '../../../shared/messageLimits.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { FigureFormat } from '../../kit/figureFormat.ts';

/** Why the page itself does not add what a person gave it. */
export const additionProblems = {
  tooMany: (): Problem =>
    warning(
      l10n.t('That is too much for one message'),
      l10n.t('A message takes up to {0} things. Remove one, then add this again.', maxAttachments),
    ),
  noPicture: (name: string): Problem =>
    warning(
      l10n.t('“{0}” cannot be added', name),
      l10n.t('It is no picture that can be read here, or it is too large. PNG, JPEG, WebP and GIF can be sent.'),
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
      l10n.t('“{0}” is too long', name),
      l10n.t(
        'It has more than {0} characters. Open it, select the part that matters and add the selection.',
        figures.count(maxContextLength),
      ),
    ),
  unreadable: (name: string): Problem =>
    warning(
      l10n.t('“{0}” cannot be added', name),
      l10n.t('It cannot be read here. Of a folder, drop the files that matter.'),
    ),
};

function warning(title: string, detail: string): Problem {
  return { severity: 'warning', title, detail, actions: [], technical: '' };
}
