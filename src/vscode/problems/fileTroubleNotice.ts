import { problemOfFile } from '../../core/problems/fileProblems.ts';
import type { FileTrouble } from '../disk/jsonFile.ts';
import type { Log } from '../platform/log.ts';
import type { Notifier } from '../platform/notify.ts';

/** Tells the user what happened to a file, and logs it. @param what the file's content, as a label */
export function fileTroubleNotice(
  what: () => string,
  { log, notifier }: { readonly log: Log; readonly notifier: Notifier },
): (trouble: FileTrouble) => void {
  return (trouble) => {
    const { kind, path } = trouble;
    const error = 'error' in trouble ? trouble.error : undefined;
    const keptAs = 'keptAs' in trouble ? trouble.keptAs : undefined;
    if (error === undefined) log.warn(`${path}: ${kind}${keptAs === undefined ? '' : `, kept as ${keptAs}`}`);
    else log.error(`${path}: ${kind}`, error);
    notifier.problem(
      problemOfFile(what(), {
        kind,
        path,
        platform: process.platform,
        ...(keptAs !== undefined && { keptAs }),
        ...(error !== undefined && { error }),
      }),
    );
  };
}
