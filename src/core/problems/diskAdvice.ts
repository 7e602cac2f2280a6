import * as l10n from '@vscode/l10n';
import { inline } from '../../words/inline.ts';
import { systemCode } from './systemCode.ts';
import { reasonOf } from './reasonOf.ts';

/** Why a file couldn't be written. On Windows, "not permitted" usually means that another program has the file open. */
export type DiskTrouble = 'full' | 'unwritable' | 'inUse' | 'other';

/**
 * @param code the system's code, for example `ENOSPC`
 * @param platform as Node names it, for example `win32`
 */
export function diskTrouble(code: string, platform = ''): DiskTrouble {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'full';
    case 'EROFS':
      return 'unwritable';
    case 'EACCES':
    case 'EPERM':
      return platform === 'win32' ? 'inUse' : 'unwritable';
    case 'EBUSY':
      return 'inUse';
    default:
      return 'other';
  }
}

/** The next step while something exists only in this window, because it couldn't be saved. */
export function diskAdvice(error: unknown, platform: string): string {
  const folder = folderOfFailure(error);
  switch (diskTrouble(systemCode(error), platform)) {
    case 'full':
      return l10n.t('Free up disk space before you close the window.');
    case 'unwritable':
      return folder === ''
        ? l10n.t('Make the folder writable before you close the window.')
        : l10n.t('Make the folder writable before you close the window: {0}', inline(folder));
    case 'inUse':
      return l10n.t('Close programs that might be using the file before you close the window.');
    case 'other':
      return l10n.t('Free up disk space or make the folder writable before you close the window.');
  }
}

/** The folder of the file that an error is about; empty if the error doesn't name it. */
export function folderOfFailure(error: unknown): string {
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : '';
  return path.replace(/[\\/][^\\/]*$/, '');
}

/**
 * The system's message, for example `ENOSPC: no space left on device`, without the call and the path that Node adds.
 */
export function diskReason(error: unknown): string {
  const said = reasonOf(error);
  const code = systemCode(error);
  return code !== '' && said.startsWith(`${code}: `) ? (said.split(', ')[0] ?? said) : said;
}
