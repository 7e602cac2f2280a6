import { formValuesOf } from '../../core/media/formValues.ts';
import { inputIds } from '../../core/media/inputIds.ts';
import type { MediaRun } from '../../core/media/mediaLibrary.ts';
import type { MediaFolder } from './mediaFolder.ts';
import type { MediaStore } from './mediaStore.ts';
import { KEEP_DELETED_MS } from '../disk/keepDeletedMs.ts';

interface TidyDeps {
  readonly store: Pick<MediaStore, 'library' | 'hasNewerLines'>;
  readonly folder: Pick<MediaFolder, 'remove' | 'sweepInputs'>;
  /** IDs of files in forms and presets; undefined while unknown. */
  readonly inputsInForms: () => Promise<readonly string[] | undefined>;
  readonly onUnexpected: (error: unknown) => void;
}

/** Deletes the files of runs that were deleted a while ago, and unused copies. Never rejects. */
export async function tidyMedia({ store, folder, inputsInForms, onUnexpected }: TidyDeps): Promise<void> {
  // A newer version might have written that it uses a file that looks unused here, or that it restores a run that looks
  // deleted.
  if (store.hasNewerLines) return;
  const { library } = store;
  const [gone, kept] = [library.deleted().filter(isGone), library.deleted().filter((run) => !isGone(run))];
  await folder.remove(gone.map(({ id }) => id)).catch(onUnexpected);
  const inputs = [...library.runs(), ...kept].flatMap(({ parameters }) => inputIds(formValuesOf(parameters)));
  try {
    const inForms = await inputsInForms();
    if (inForms !== undefined) await folder.sweepInputs(new Set([...inputs, ...inForms]));
  } catch (error) {
    onUnexpected(error);
  }
}

function isGone({ deletedAt }: MediaRun): boolean {
  return deletedAt !== undefined && Date.now() - deletedAt > KEEP_DELETED_MS;
}
