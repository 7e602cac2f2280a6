import type { ModelRow, ModelRowsView } from '../../../src/shared/modelRow.ts';

const row = (
  id: string,
  group: string,
  name: string,
  figures: readonly string[],
  more: Partial<ModelRow> = {},
): ModelRow => {
  const [speed = '', firstToken = '', context = '', price = ''] = figures;
  return {
    id,
    group,
    name,
    figures: { speed, firstToken, context, price },
    notes: [],
    isFavorite: false,
    isCurrent: false,
    isTyped: false,
    ...more,
  };
};

/** What the host returns before the user has typed anything. */
export const modelRows: ModelRowsView = {
  rows: [
    row('0', 'Favorites', 'kestrel/sparrow', ['118 tok/s', '0.18 s', '128k', '0.20/0.80'], { isFavorite: true }),
    row('1', 'Favorites', 'northwind/gale-32b-instruct', ['84 tok/s', '0.32 s°', '128k', '0.40/1.60'], {
      isFavorite: true,
      isCurrent: true,
    }),
    row('2', 'Recently Used', 'harbor/quill-70b', ['51 tok/s', '0.41 s', '64k', '0.90 in'], {
      notes: ['not in the list'],
    }),
    row('3', 'northwind', 'northwind/breeze-8b-instruct-with-a-rather-long-name-2026-10', ['', '', '32k', 'free']),
    row('4', 'northwind', 'northwind/squall-405b', ['22 tok/s', '1.20 s', '1M', '3.00/9.00'], {
      withImages: 'chat with images',
    }),
  ],
  left: 0,
  unlisted: [],
  isLoading: false,
  otherKinds: 'hidden',
};
