import type { CreditBalance } from './creditBalance.ts';
import type { Exchange } from './exchange.ts';
import type { FileStore } from './files/fileStore.ts';
import type { ModelDefinition } from './models/modelDefinition.ts';

/** What the endpoints of one service share. */
export interface ServiceSettings {
  readonly models: ReadonlyMap<string, ModelDefinition>;
  readonly account: CreditBalance;
  readonly files: FileStore;
  readonly tokensPerSecond: number;
  readonly firstTokenDelayMs: number;
  /** Minimum time to generate a video, for models without their own. */
  readonly videoSeconds: number;
  /** True while no video may be finished. Read until it's false, because it may change. */
  readonly areVideosHeld: boolean;
  /** True while no list of models may be sent. Read like the one above. */
  readonly areListsHeld: boolean;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** The form of the host that received the exchange. */
  readonly originHere: (exchange: Exchange) => string;
  /** The other form of the host. */
  readonly originElsewhere: (exchange: Exchange) => string;
}
