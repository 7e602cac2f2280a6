import { join } from 'node:path';
import * as v from 'valibot';
import { mergeDigests, type RequestDigest, type RequestSum } from '../../../core/requests/requestDigest.ts';
import { mapTable } from '../../../shared/mapTable.ts';
import { JsonFile } from '../../disk/jsonFile.ts';
import { localDay } from '../../platform/localDay.ts';

const count = v.number();
const sumSchema = v.object({
  requests: count,
  failed: count,
  promptTokens: count,
  completionTokens: count,
  cost: count,
  replies: count,
  replyTokens: count,
  unpriced: count,
  estimated: v.exactOptional(count),
  estimatedCosts: v.exactOptional(count),
  speeds: v.tuple([]),
});
/** By day, of which there's one at most. */
const schema = v.record(v.string(), v.record(v.string(), sumSchema));

/**
 * What deleted requests of today cost, because a budget counts what was spent, and not what is still in a list. Nothing
 * else of them is kept, and this only until tomorrow. All windows share it.
 */
export class DeletedToday {
  readonly #file: JsonFile<RequestDigest>;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#file = new JsonFile<RequestDigest>({
      path: join(folder, 'deletedToday.json'),
      version: 1,
      schema,
      empty: {},
      onTrouble: (trouble) => onError('error' in trouble ? trouble.error : new Error(trouble.kind)),
    });
  }

  /** Never rejects. */
  async read(): Promise<RequestDigest> {
    const known = await this.#file.read();
    const isOver = Object.keys(known).some((day) => day !== localDay(Date.now()));
    return isOver ? this.#file.update(ofToday) : known;
  }

  /** @param digest of the requests that were deleted */
  async add(digest: RequestDigest): Promise<void> {
    const costs = costsOf(ofToday(digest));
    if (Object.keys(costs).length > 0) await this.#file.update((known) => mergeDigests([ofToday(known), costs]));
  }
}

function ofToday(digest: RequestDigest): RequestDigest {
  const today = localDay(Date.now());
  return Object.fromEntries(Object.entries(digest).filter(([day]) => day === today));
}

function costsOf(digest: RequestDigest): RequestDigest {
  return mapTable(digest, (models) => mapTable(models, withoutSpeed));
}

function withoutSpeed(sum: RequestSum): RequestSum {
  return { ...sum, replies: 0, replyTokens: 0, speeds: [] };
}
