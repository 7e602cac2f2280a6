import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import * as v from 'valibot';
import { mergeDigests, type RequestDigest, type SumsApart } from '../../../core/requests/requestDigest.ts';
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
/** Keyed by day, with one day at most. */
const digestSchema = v.record(v.string(), v.record(v.string(), sumSchema));
const schema = v.object({ digest: digestSchema, withheld: v.record(v.string(), digestSchema) });

/**
 * What deleted requests of today cost, because a budget counts what was spent, and not what is still in a list. Nothing
 * else of them is kept, and this only until tomorrow. All windows share it.
 */
export class DeletedToday {
  readonly #file: JsonFile<SumsApart>;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#file = new JsonFile<SumsApart>({
      path: join(folder, 'deletedToday.json'),
      version: 1,
      schema,
      empty: { digest: {}, withheld: {} },
      onTrouble: (trouble) => onError('error' in trouble ? trouble.error : new Error(trouble.kind)),
    });
  }

  /** Never rejects. */
  async read(): Promise<SumsApart> {
    const known = await this.#file.read();
    return isDeepStrictEqual(ofToday(known), known) ? known : this.#file.update(ofToday);
  }

  /** Never rejects. @param sums of requests that were deleted */
  async add(sums: SumsApart): Promise<void> {
    const ours = ofToday(sums);
    const [digest, withheld] = [withoutSpeeds(ours.digest), mapTable(ours.withheld, withoutSpeeds)];
    if (Object.keys({ ...digest, ...withheld }).length === 0) return;
    await this.#file.update((known) => {
      const before = ofToday(known);
      const apart = mapTable(withheld, (one, id) => mergeDigests([before.withheld[id] ?? {}, one]));
      return { digest: mergeDigests([before.digest, digest]), withheld: { ...before.withheld, ...apart } };
    });
  }

  /** Settles when everything is on disk, or the failure was reported. */
  settled(): Promise<void> {
    return this.#file.settled();
  }
}

function ofToday({ digest, withheld }: SumsApart): SumsApart {
  const today = localDay(Date.now());
  const only = (one: RequestDigest) => Object.fromEntries(Object.entries(one).filter(([day]) => day === today));
  const apart = Object.entries(withheld).filter(([, one]) => Object.hasOwn(one, today));
  return { digest: only(digest), withheld: mapTable(Object.fromEntries(apart), only) };
}

function withoutSpeeds(digest: RequestDigest): RequestDigest {
  return mapTable(digest, (models) => mapTable(models, (sum) => ({ ...sum, replies: 0, replyTokens: 0, speeds: [] })));
}
