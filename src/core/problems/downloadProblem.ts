import * as l10n from '@vscode/l10n';
import type { DownloadFailure } from '../../shared/apiFailure.ts';
import { diskTrouble } from './diskAdvice.ts';
import { kept, type ProblemContext, type ProblemDraft } from './problemDraft.ts';
import { bytesText } from '../../words/bytes.ts';
import { inline } from '../../words/inline.ts';

/** The file was generated but couldn't be downloaded. The possible actions are last. */
export function downloadProblem(failure: DownloadFailure, context: ProblemContext): ProblemDraft {
  const host = inline(failure.host, 200);
  const technical = [failure.status, inline(failure.code ?? '', 64)].filter(Boolean).join(' ');
  return {
    title: title(failure),
    detail: [reason(failure, host), nextStep(failure), kept(context)],
    actions: ['showLog'],
    technical,
  };
}

function title({ reason: why }: DownloadFailure): string {
  switch (why) {
    case 'address':
      return l10n.t("Files from this URL aren't downloaded");
    case 'gone':
      return l10n.t('The link no longer works');
    case 'notMedia':
      return l10n.t('Not an image or a video');
    case 'tooLarge':
      return l10n.t('The file is too large');
    case 'disk':
      return l10n.t("Couldn't save the file");
    case 'redirects':
    case 'status':
      return l10n.t("Couldn't download the file");
  }
}

function reason({ reason: why, code, limitBytes = 0 }: DownloadFailure, host: string): string {
  switch (why) {
    case 'address':
      return host === ''
        ? l10n.t("It isn't a web URL.")
        : l10n.t("{0} isn't served over https, or is in a private network.", host);
    case 'gone':
      return l10n.t('{0} refused the download. The link has probably expired.', host);
    case 'status':
      return l10n.t('{0} returned an error.', host);
    case 'redirects':
      return l10n.t('{0} redirected too many times.', host);
    case 'notMedia':
      return l10n.t("{0} didn't return a supported video or image. The file was discarded.", host);
    case 'tooLarge':
      return l10n.t("It's over {0}.", bytesText(limitBytes));
    case 'disk':
      return diskTrouble(code ?? '') === 'full'
        ? l10n.t('The disk is full.')
        : l10n.t("The folder for Parlance's data isn't writable.");
  }
}

function nextStep({ reason: why, code }: DownloadFailure): string {
  switch (why) {
    case 'gone':
      return l10n.t("Run it again to get a new one. You'll be charged again.");
    case 'disk':
      return diskTrouble(code ?? '') === 'full'
        ? l10n.t('Free up disk space, then download it again while the link still works.')
        : l10n.t('Make the folder writable, then download it again while the link still works.');
    case 'address':
    case 'tooLarge':
      return l10n.t('Copy the link and open it in a browser if you trust it.');
    case 'status':
    case 'redirects':
    case 'notMedia':
      return l10n.t('Download it again, or copy the link and open it in a browser.');
  }
}
