import { decodeModels } from '../../../src/api/wire/decodeModels.ts';
import { CatalogFiles } from '../../../src/vscode/models/catalogFiles.ts';
import { isBefore, mustHold, type StoreUnderTest } from '../storeUnderTest.ts';
import { waitForRetries } from './settling.ts';

const service = 'https://service.test/v1';

interface Catalog {
  readonly model: string;
  readonly fetchedAt: number;
}

type Seen = Catalog | { readonly isMissing: true };

/** The service's list can be fetched again, so one that can't be saved is reported and dropped. */
export const catalogs: StoreUnderTest<Catalog, Seen> = {
  name: 'catalogs',
  files: /^[0-9a-f]{16}\.catalog\.json$/,
  operation: (random, _window, before) => ({ model: `made/${random.uuid()}`, fetchedAt: 1000 + before.length }),
  open({ folder, report, reports }) {
    const store = new CatalogFiles(folder, report);
    return Promise.resolve({
      run: async ({ model, fetchedAt }) => {
        const before = reports();
        await store.write(service, { fetchedAt, models: decodeModels(listOf(model)) });
        return { outcome: reports() > before ? 'refused' : 'saved' };
      },
      settle: () => waitForRetries(() => Promise.resolve()),
      close: () => Promise.resolve(),
    });
  },
  async look({ folder, report }) {
    const kept = await new CatalogFiles(folder, report).read(service);
    if (kept === undefined) return { isMissing: true };
    return { model: kept.models.map(({ id }) => id).join(), fetchedAt: kept.fetchedAt };
  },
  check(done, seen) {
    const saved = done.filter(mustHold);
    if ('isMissing' in seen) return saved.length > 0 ? ['No catalog is there, though one was saved'] : [];
    const shown = done.find(({ op }) => op.model === seen.model && op.fetchedAt === seen.fetchedAt);
    if (shown === undefined) return [`A catalog is there that was never saved: ${JSON.stringify(seen)}`];
    const later = saved.find((each) => shown.ended < each.began);
    if (later === undefined || !isBefore(shown, later)) return [];
    return [`The catalog of ${shown.op.fetchedAt} is there, though ${later.op.fetchedAt} was saved after it`];
  },
};

function listOf(model: string): unknown {
  // Long enough to be written in pieces.
  return { object: 'list', data: [{ id: model, object: 'model', description: 'x'.repeat(2000) }] };
}
