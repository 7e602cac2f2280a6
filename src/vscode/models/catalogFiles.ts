import * as v from 'valibot';
import type { CatalogStore, KeptCatalog } from '../../core/models/modelCatalog.ts';
import { CacheFile } from '../disk/cacheFile.ts';
import { serviceFile } from '../service/serviceFile.ts';

const schema = v.object({ fetchedAt: v.pipe(v.number(), v.finite()), models: v.unknown() });

/**
 * Model lists as files, one per service. The rows are stored as the service sent them and read by the same rules as its
 * responses, so a file from an earlier version, or a damaged one, does no harm.
 */
export class CatalogFiles implements CatalogStore {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  async read(service: string): Promise<KeptCatalog | undefined> {
    const file = await this.#file(service).read();
    if (file === undefined) return undefined;
    const { decodeModels } = await import('../../api/wire/decodeModels.ts');
    try {
      return { fetchedAt: file.fetchedAt, models: decodeModels(file.models) };
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }

  async write(service: string, { models, fetchedAt }: KeptCatalog): Promise<void> {
    await this.#file(service).write({ fetchedAt, models: models.map(({ raw }) => raw) });
  }

  /** Deletes the list of a service that was removed. */
  async remove(service: string): Promise<void> {
    await this.#file(service).remove();
  }

  #file(service: string): CacheFile<v.InferOutput<typeof schema>> {
    const path = serviceFile(this.#folder, service, '.catalog.json');
    return new CacheFile({ path, schema, onError: this.#onError });
  }
}
