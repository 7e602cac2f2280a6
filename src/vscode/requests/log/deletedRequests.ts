import { decodeRequestRecord } from '../../../core/requests/requestRecord.ts';
import { LinesFile } from '../../disk/linesFile.ts';
import type { LogFiles } from './logFiles.ts';

interface Known {
  readonly file: LinesFile;
  readonly ids: Set<string>;
}

/** The requests that any window has deleted from the history's files. */
export class DeletedRequests {
  readonly #files: LogFiles;
  readonly #known = new Map<string, Known>();

  constructor(files: LogFiles) {
    this.#files = files;
  }

  /** Whether the request was deleted, according to the file's current content. */
  async has(name: string, id: string): Promise<boolean> {
    const known = this.#known.get(name) ?? { file: new LinesFile(this.#files.rows(name)), ids: new Set<string>() };
    this.#known.set(name, known);
    await known.file.readNew((line) => {
      const record = decodeRequestRecord(line);
      if (record?.type === 'deleted') for (const each of record.ids) known.ids.add(each);
    });
    return known.ids.has(id);
  }

  /** The file is gone. */
  forget(name: string): void {
    this.#known.delete(name);
  }
}
