import type { LateCommands } from './lateCommands.ts';

/** For what is still to be written when the window goes. */
export interface FlushedAtEnd {
  readonly atEnd: (write: () => Promise<void>) => void;
}

/**
 * With what a feature is there from activation on, though nothing of it is loaded before somebody uses it.
 *
 * @typeParam Needed what it takes of the services once it is loaded
 */
export interface Offering<Needed> {
  readonly commands: LateCommands;
  readonly services: () => Promise<Needed>;
}
