import * as l10n from '@vscode/l10n';
import { diskAdvice, diskReason, type DiskTrouble, diskTrouble, folderOfFailure } from './diskAdvice.ts';
import { inline } from '../../words/inline.ts';
import type { Problem } from '../../shared/problem.ts';
import { systemCode } from './systemCode.ts';

/** A file with saved choices, for example favorites, that couldn't be read or written. */
export interface FileProblem {
  readonly kind: 'unreadable' | 'damaged' | 'newer' | 'unsaved';
  readonly path: string;
  /** Where the file is now, after it was renamed. */
  readonly keptAs?: string;
  /** Node's name of the platform, for example `win32`. */
  readonly platform: string;
  /** The error that the system threw. */
  readonly error?: unknown;
}

/** @param what the file's content, as a label */
export function problemOfFile(what: string, { kind, path, keptAs, platform, error }: FileProblem): Problem {
  const [title, detail] = words(kind, what, path, keptAs, () => diskAdvice(error, platform));
  return {
    severity: kind === 'unsaved' ? 'error' : 'warning',
    title,
    detail: error === undefined ? detail : `${detail} ${l10n.t('Reason: {0}', inline(diskReason(error)))}`,
    actions: [{ kind: 'showLog', label: l10n.t('Show Log') }],
    technical: '',
  };
}

/**
 * A file that couldn't be read or saved, which ended what the user asked for: not a bug in Parlance.
 * @param platform Node's name of it, for example `win32`
 * @returns undefined if the error is about something else
 */
export function problemOfDisk(error: unknown, platform: string): Problem | undefined {
  const said = saidOfFile(error);
  if (said === undefined) return undefined;
  const advice = whatToDo(diskTrouble(said.code, platform), inline(folderOfFailure(error)));
  const reason = l10n.t('Reason: {0}', inline(said.reason));
  return {
    severity: 'error',
    title: l10n.t("Couldn't read or save a file"),
    detail: advice === undefined ? reason : `${advice} ${reason}`,
    actions: [{ kind: 'showLog', label: l10n.t('Show Log') }],
    technical: inline(said.code, 64),
  };
}

/** The system's code and its message, by Node, or in the message that VS Code wraps around it. */
function saidOfFile(error: unknown): { readonly code: string; readonly reason: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = systemCode(error);
  // Node's errors of programs and of the network begin with the call: `spawn git EACCES`.
  if (code !== '' && error.message.startsWith(`${code}: `)) return { code, reason: diskReason(error) };
  if (!error.name.includes('FileSystemError')) return undefined;
  const [reason, ofSystem] = /\b(E[A-Z\d]+): [^,]+/.exec(error.message) ?? [error.message];
  return { code: ofSystem ?? code, reason };
}

function whatToDo(trouble: DiskTrouble, folder: string): string | undefined {
  switch (trouble) {
    case 'full':
      return l10n.t('Free up disk space, then try again.');
    case 'unwritable':
      return folder === ''
        ? l10n.t('Make the folder writable, then try again.')
        : l10n.t('Make the folder writable, then try again: {0}', folder);
    case 'inUse':
      return l10n.t('Close programs that might be using the file, then try again.');
    case 'other':
      return undefined;
  }
}

function words(
  kind: FileProblem['kind'],
  what: string,
  path: string,
  keptAs: string | undefined,
  advice: () => string,
): readonly [title: string, detail: string] {
  switch (kind) {
    case 'unreadable':
      return [
        l10n.t("{0}: couldn't read the file", what),
        l10n.t(
          "The file wasn't changed: {0}. New changes are added to it later. Close programs that might be using it.",
          path,
        ),
      ];
    case 'damaged':
      return [
        l10n.t('{0}: the file is damaged', what),
        l10n.t('It was kept as {0}, and an empty one took its place. Open it to copy what you need.', keptAs ?? path),
      ];
    case 'newer':
      return [
        l10n.t('{0}: the file is newer', what),
        keptAs === undefined
          ? l10n.t("A newer version of Parlance wrote {0}. It wasn't changed. Update Parlance to use it.", path)
          : l10n.t(
              'A newer version of Parlance wrote it. It was kept as {0}. Update Parlance, then rename it back.',
              keptAs,
            ),
      ];
    case 'unsaved':
      return [
        l10n.t("{0}: couldn't save the change", what),
        `${l10n.t("It's kept in this window and saved as soon as possible.")} ${advice()}`,
      ];
  }
}
