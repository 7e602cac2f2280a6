import { ChangeEvent } from '../../core/changeEvent.ts';
import * as v from 'valibot';
import { type KeptMarks, type MarksStore, noMarks } from '../../core/models/modelMarks.ts';
import { type FileTrouble, JsonFiles } from '../disk/jsonFile.ts';
import { watchFiles } from '../disk/watchFiles.ts';
import type { FolderWatch } from '../disk/watchFolder.ts';
import { serviceFile } from '../service/serviceFile.ts';

const ids = v.array(v.string());
const ending = '.marks.json';
const schema = v.object({ favorites: ids, hidden: ids, recent: ids });

/** Marks as files, one per service, because there can be too many favorites for a memento. */
export class MarksFiles implements MarksStore {
  readonly #folder: string;
  readonly #changed = new ChangeEvent();
  readonly #files: JsonFiles<KeptMarks>;
  #watch: FolderWatch | undefined;

  constructor(folder: string, onTrouble: (trouble: FileTrouble) => void) {
    this.#folder = folder;
    const pathOf = (service: string) => serviceFile(folder, service, ending);
    this.#files = new JsonFiles<KeptMarks>({ pathOf, version: 1, schema, empty: noMarks, onTrouble });
  }

  /** Calls back when any window, including this one, changed its marks, until the marks are disposed. */
  async follow(onChange: () => void, onError: (error: unknown) => void): Promise<void> {
    this.#changed.listen(onChange);
    const changed = (): void => this.#changed.fire();
    this.#watch ??= watchFiles(this.#folder, (name) => name.endsWith(ending), changed, onError);
    await this.#watch.ready;
  }

  read(service: string): Promise<KeptMarks> {
    return this.#files.of(service).read();
  }

  change(service: string, change: (marks: KeptMarks) => KeptMarks): Promise<KeptMarks> {
    return this.#files.of(service).update(change);
  }

  dispose(): void {
    this.#watch?.dispose();
  }

  /** Settles when every change is on disk, or the failure was reported. */
  settled(): Promise<void> {
    return this.#files.settled();
  }
}
