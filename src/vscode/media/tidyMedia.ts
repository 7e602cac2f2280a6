import { formValuesOf } from '../../core/media/formValues.ts';
import { inputIds } from '../../core/media/inputIds.ts';
import type { MediaFolder } from './mediaFolder.ts';
import type { MediaStore } from './mediaStore.ts';
import { KEEP_DELETED_MS } from '../disk/keepDeletedMs.ts';

interface TidyDeps {
  readonly store: Pick<MediaStore, 'library' | 'hasNewerLines' | 'erase'>;
  readonly folder: Pick<MediaFolder, 'remove' | 'sweepInputs'>;
  /** IDs of files in forms and presets; undefined while unknown. */
  readonly inputsInForms: () => Promise<readonly string[] | undefined>;
  readonly onUnexpected: (error: unknown) => void;
}

/** Erases runs that were deleted a while ago, and deletes unused copies. Never rejects. */
export async function tidyMedia({ store, folder, inputsInForms, onUnexpected }: TidyDeps): Promise<void> {
  // A newer version might have written that it uses a file that looks unused here, or that it restores a run that looks
  // deleted.
  if (store.hasNewerLines) return;
  const { library } = store;
  const gone = library.deletedBefore(Date.now() - KEEP_DELETED_MS);
  const isGone = new Set(gone);
  const kept = library.deleted().filter(({ id }) => !isGone.has(id));
  const inputs = [...library.runs(), ...kept].flatMap(({ parameters }) => inputIds(formValuesOf(parameters)));
  try {
    await folder.remove(gone);
    // Only now: without its records, nobody would know that a file is to be deleted.
    await store.erase(gone);
  } catch (error) {
    onUnexpected(error);
  }
  try {
    const inForms = await inputsInForms();
    if (inForms !== undefined) await folder.sweepInputs(new Set([...inputs, ...inForms]));
  } catch (error) {
    onUnexpected(error);
  }
}
