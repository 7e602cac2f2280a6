import type { LateCommands } from './lateCommands.ts';

/** For what must still be written when the window closes. */
export interface FlushedAtEnd {
  readonly atEnd: (write: () => Promise<void>) => void;
}

/**
 * What a feature gets at activation. Nothing of the feature itself is loaded until it's used.
 * @typeParam Needed what the feature needs from the shared services once it's loaded
 */
export interface Offering<Needed> {
  readonly commands: LateCommands;
  readonly services: () => Promise<Needed>;
}
