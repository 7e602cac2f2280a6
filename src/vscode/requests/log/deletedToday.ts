import { join } from 'node:path';
import * as v from 'valibot';
import { emptySum, mergeDigests, type RequestDigest, type RequestSum } from '../../../core/requests/requestDigest.ts';
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

  /** Adds what was recorded before and isn't anymore: some files might not have been deleted. */
  async add(before: RequestDigest, after: RequestDigest): Promise<void> {
    const gone = goneOf(ofToday(before), ofToday(after));
    if (Object.keys(gone).length > 0) await this.#file.update((known) => mergeDigests([ofToday(known), gone]));
  }

  /** Settles when everything is on disk, or the failure was reported. */
  settled(): Promise<void> {
    return this.#file.settled();
  }
}

function ofToday(digest: RequestDigest): RequestDigest {
  const today = localDay(Date.now());
  return Object.fromEntries(Object.entries(digest).filter(([day]) => day === today));
}

function goneOf(before: RequestDigest, after: RequestDigest): RequestDigest {
  const gone = Object.entries(before).map(([day, models]) => {
    const sums = Object.entries(models).flatMap(([model, sum]) => {
      const less = difference(sum, after[day]?.[model] ?? emptySum());
      return less.requests === 0 ? [] : [[model, less] as const];
    });
    return [day, Object.fromEntries(sums)] as const;
  });
  return Object.fromEntries(gone.filter(([, models]) => Object.keys(models).length > 0));
}

/** Without what only speeds are made of. */
function difference(one: RequestSum, other: RequestSum): RequestSum {
  const less = (of: (sum: RequestSum) => number | undefined) => Math.max(0, (of(one) ?? 0) - (of(other) ?? 0));
  return {
    ...emptySum(),
    requests: less((sum) => sum.requests),
    failed: less((sum) => sum.failed),
    promptTokens: less((sum) => sum.promptTokens),
    completionTokens: less((sum) => sum.completionTokens),
    cost: less((sum) => sum.cost),
    unpriced: less((sum) => sum.unpriced),
    estimated: less((sum) => sum.estimated),
    estimatedCosts: less((sum) => sum.estimatedCosts),
  };
}
