import type { StoreUnderTest } from './storeUnderTest.ts';
import { attachments } from './stores/attachments.ts';
import { catalogs } from './stores/catalogs.ts';
import { conversations } from './stores/conversations.ts';
import { drafts } from './stores/drafts.ts';
import { flawedStore, flaws } from './stores/flawed.ts';
import { marks } from './stores/marks.ts';
import { media } from './stores/media.ts';
import { presets } from './stores/presets.ts';
import { requests } from './stores/requests.ts';

/** Everything that Parlance keeps in files that windows share. */
export const stores = [
  conversations,
  drafts,
  attachments,
  marks,
  catalogs,
  presets,
  requests,
  media,
] as readonly StoreUnderTest[];

/** To see that the suite finds what it is there to find. */
export const flawedStores = Object.entries(flaws).map(([name, flaw]) =>
  flawedStore(name, flaw),
) as readonly StoreUnderTest[];
