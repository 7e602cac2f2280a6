import { type FSWatcher, watch } from 'node:fs';
import { makeFolder } from './makeFolder.ts';

/** When to start watching again after an error, for example because the folder was deleted. */
const AGAIN_MS = 5000;

export interface FolderWatch {
  /** Settles once changes are noticed or the failure was reported. */
  readonly ready: Promise<void>;
  dispose(): void;
}

/**
 * Calls back when a file in the folder changes, with its name if the system provides it. Creates the folder if needed.
 * If the system has no watchers left, that is reported and nothing is watched.
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
