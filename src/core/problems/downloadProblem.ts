import * as l10n from '@vscode/l10n';
import type { DownloadFailure } from '../../shared/apiFailure.ts';
import { diskTrouble } from './diskAdvice.ts';
import { kept, type ProblemContext, type ProblemDraft, size } from './problemDraft.ts';
import { inline } from '../../words/inline.ts';

/** The file was made and is not here: what can still be done about it comes last. */
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
      return l10n.t("Files from this address aren't loaded");
    case 'gone':
      return l10n.t('The link no longer works');
    case 'notMedia':
      return l10n.t('The link leads to something else');
    case 'tooLarge':
      return l10n.t('The file is too large');
    case 'disk':
      return l10n.t('The file could not be written');
    case 'redirects':
    case 'status':
      return l10n.t('The file could not be loaded');
  }
}

function reason({ reason: why, code, limitBytes = 0 }: DownloadFailure, host: string): string {
  switch (why) {
    case 'address':
      return host === ''
        ? l10n.t('It is not an address on the web.')
        : l10n.t('{0} is not reached over https, or is in a private network.', host);
    case 'gone':
      return l10n.t('{0} does not give the file out: such links expire.', host);
    case 'status':
      return l10n.t('{0} answered with an error.', host);
    case 'redirects':
      return l10n.t('{0} sent Parlance from one address to the next without end.', host);
    case 'notMedia':
      return l10n.t('What {0} sent is neither a video nor an image that Parlance knows. It was thrown away.', host);
    case 'tooLarge':
      return l10n.t('It is over {0}.', size(limitBytes));
    case 'disk':
      return diskTrouble(code ?? '') === 'full'
        ? l10n.t('The disk is full.')
        : l10n.t('The folder of Parlance’s data cannot be written to.');
  }
}

function nextStep({ reason: why, code }: DownloadFailure): string {
  switch (why) {
    case 'gone':
      return l10n.t('Run it again to get a new one; that is charged again.');
    case 'disk':
      return diskTrouble(code ?? '') === 'full'
        ? l10n.t('Make room, then download it again while the link is good.')
        : l10n.t('Make the folder writable, then download it again while the link is good.');
    case 'address':
    case 'tooLarge':
      return l10n.t('Copy the link and open it in a browser if you trust it.');
    case 'status':
    case 'redirects':
    case 'notMedia':
      return l10n.t('Download it again, or copy the link and look at it in a browser.');
  }
}
