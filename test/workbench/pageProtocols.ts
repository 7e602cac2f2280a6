import { replyActs } from '../../src/shared/protocol/compareProtocol.ts';
import { itemActs } from '../../src/shared/protocol/mediaProtocol.ts';
import { requestActs } from '../../src/shared/protocol/requestProtocol.ts';
import { panelTypes, viewIds } from '../../src/vscode/settings/contributions.ts';

/** The messages between the host and one kind of page. */
export interface PageProtocol {
  /** How the report of the boundaries names it. */
  readonly kind: string;
  /** In `src/shared/`, with both types. */
  readonly file: string;
  readonly toPage: string;
  readonly toHost: string;
  /** The views and panels that show it. */
  readonly views: readonly string[];
  /** What its buttons can ask for that all send the same message. */
  readonly acts?: readonly string[];
}

export const pageProtocols: readonly PageProtocol[] = [
  {
    kind: 'chat',
    file: 'protocol/chatProtocol.ts',
    toPage: 'ToPage',
    toHost: 'ToHost',
    views: [viewIds.chat, panelTypes.chatEditor],
  },
  {
    kind: 'media',
    file: 'protocol/mediaProtocol.ts',
    toPage: 'ToMediaPage',
    toHost: 'ToMediaHost',
    views: [viewIds.media, panelTypes.mediaStudio],
    acts: itemActs,
  },
  {
    kind: 'compare',
    file: 'protocol/compareProtocol.ts',
    toPage: 'ToComparePage',
    toHost: 'ToCompareHost',
    views: [panelTypes.compare],
    acts: replyActs,
  },
  {
    kind: 'measure',
    file: 'protocol/measureProtocol.ts',
    toPage: 'ToMeasurePage',
    toHost: 'ToMeasureHost',
    views: [panelTypes.measure],
  },
  {
    kind: 'checks',
    file: 'protocol/checksProtocol.ts',
    toPage: 'ChecksToPage',
    toHost: 'ChecksToHost',
    views: [panelTypes.checks],
  },
  {
    kind: 'request',
    file: 'protocol/requestProtocol.ts',
    toPage: 'RequestToPage',
    toHost: 'RequestToHost',
    views: [panelTypes.request],
    acts: requestActs,
  },
  {
    kind: 'usage',
    file: 'protocol/usageProtocol.ts',
    toPage: 'UsageToPage',
    toHost: 'UsageToHost',
    views: [panelTypes.usage],
  },
];

/** Their pages run no scripts. */
export const pagesWithoutMessages: readonly string[] = [panelTypes.modelDetails, panelTypes.serviceDetails];
