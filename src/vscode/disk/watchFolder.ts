import { type FSWatcher, watch } from 'node:fs';
import { makeFolder } from './makeFolder.ts';

/** A folder that was deleted and made again is watched again after this. */
const AGAIN_MS = 5000;

export interface FolderWatch {
  /** Settles when changes are seen from now on, or it was reported that they won't be. */
  readonly ready: Promise<void>;
  dispose(): void;
}

/**
 * Calls back when a file in the folder has changed, with its name where the system gives one. Makes the folder. Where
 * the system has no watchers left, that is reported and nothing is watched.
 */
export function watchFolder(
  folder: string,
  onChange: (name: string | null) => void,
  onError: (error: unknown) => void,
): FolderWatch {
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isDisposed = false;
  const start = async (): Promise<void> => {
    await makeFolder(folder);
    if (isDisposed) return;
    watcher = watch(folder, { persistent: false }, (_event, name) => onChange(name));
    watcher.on('error', (error) => {
      onError(error);
      watcher?.close();
      timer = setTimeout(restart, AGAIN_MS).unref();
    });
  };
  const restart = () => void start().catch(onError);
  return {
    ready: start().catch(onError),
    dispose: () => {
      isDisposed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
