import type { StoreUnderTest } from './storeUnderTest.ts';

type Loaders = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Everything that Parlance keeps in files shared by windows. Each is loaded separately so that a process starts sooner.
 */
const stores: Loaders = {
  conversations: async () => (await import('./stores/conversations.ts')).conversations,
  drafts: async () => (await import('./stores/drafts.ts')).drafts,
  attachments: async () => (await import('./stores/attachments.ts')).attachments,
  favorites: async () => (await import('./stores/marks.ts')).marks,
  catalogs: async () => (await import('./stores/catalogs.ts')).catalogs,
  presets: async () => (await import('./stores/presets.ts')).presets,
  requests: async () => (await import('./stores/requests.ts')).requests,
  experiments: async () => (await import('./stores/experiments.ts')).experiments,
  votes: async () => (await import('./stores/votes.ts')).votes,
  'check results': async () => (await import('./stores/checkResults.ts')).checkResults,
  'context windows': async () => (await import('./stores/contextWindows.ts')).contextWindows,
  'service facts': async () => (await import('./stores/serviceFacts.ts')).serviceFacts,
  'columns of comparisons': async () => (await import('./stores/comparedColumns.ts')).comparedColumns,
  'form of Measure Models': async () => (await import('./stores/measureForm.ts')).measureForm,
  media: async () => (await import('./stores/media.ts')).media,
};

export async function allStores(): Promise<readonly StoreUnderTest[]> {
  return Promise.all(Object.keys(stores).map(storeNamed));
}

/** Proves that the suite finds what it should find. */
export async function flawedStores(): Promise<readonly StoreUnderTest[]> {
  const { flaws } = await import('./stores/flawed.ts');
  return Promise.all(Object.keys(flaws).map(storeNamed));
}

export async function storeNamed(name: string): Promise<StoreUnderTest> {
  const load = stores[name];
  if (load !== undefined) return (await load()) as StoreUnderTest;
  const { flawedStore } = await import('./stores/flawed.ts');
  return flawedStore(name);
}
