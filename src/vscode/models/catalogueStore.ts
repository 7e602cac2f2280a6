import { readFile } from 'node:fs/promises';
import type { CatalogueStore, KeptCatalogue } from '../../core/modelCatalogue.ts';
import { replaceFile, serviceFile } from './serviceFile.ts';

/**
 * Catalogues as files, one for each service. The rows are kept as the service sent them and read by
 * the same rules as its answers, so that a file of an earlier version, or a damaged one, is no danger.
 */
export class CatalogueFiles implements CatalogueStore {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  async read(service: string): Promise<KeptCatalogue | undefined> {
    try {
      const file: unknown = JSON.parse(await readFile(this.#path(service), 'utf8'));
      if (typeof file !== 'object' || file === null || !('fetchedAt' in file) || !('models' in file)) return undefined;
      const { fetchedAt, models } = file;
      if (typeof fetchedAt !== 'number' || !Number.isFinite(fetchedAt)) return undefined;
      const { decodeModels } = await import('../../api/decodeModels.ts');
      return { fetchedAt, models: decodeModels(models) };
    } catch (error) {
      if (!isMissing(error)) this.#onError(error);
      return undefined;
    }
  }

  async write(service: string, { models, fetchedAt }: KeptCatalogue): Promise<void> {
    try {
      await replaceFile(this.#path(service), JSON.stringify({ fetchedAt, models: models.map(({ raw }) => raw) }));
    } catch (error) {
      this.#onError(error);
    }
  }

  #path(service: string): string {
    return serviceFile(this.#folder, service, '.catalogue.json');
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
