import { type FolderWatch, watchFolder } from './watchFolder.ts';

/** One write is several events. */
const DELAY_MS = 50;

/**
 * Calls back when files of a folder changed, for any reason. Changes at about the same time cause one call.
 * @param matches filters by file name
 */
export function watchFiles(
  folder: string,
  matches: (name: string) => boolean,
  onChange: () => void,
  onError: (error: unknown) => void,
): FolderWatch {
  let timer: NodeJS.Timeout | undefined;
  const watch = watchFolder(
    folder,
    (name) => {
      if (name !== null && !matches(name)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        onChange();
      }, DELAY_MS).unref();
    },
    onError,
  );
  return {
    ready: watch.ready,
    dispose: () => {
      clearTimeout(timer);
      watch.dispose();
    },
  };
}
