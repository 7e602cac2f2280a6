import * as l10n from '@vscode/l10n';
import { diskAdvice, diskReason } from './diskAdvice.ts';
import { inline } from '../../words/inline.ts';
import type { Problem } from '../../shared/problem.ts';

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
