import type { UsageView } from '../usage.ts';

export type UsageToPage = { readonly type: 'usage'; readonly usage: UsageView };
export type UsageToHost = { readonly type: 'ready' };
