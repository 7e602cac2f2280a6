import type { LateCommands } from './lateCommands.ts';
import type { Services } from '../service/openServices.ts';

/** With what a feature is there from activation on, though nothing of it is loaded before somebody uses it. */
export interface Offering {
  readonly commands: LateCommands;
  readonly services: () => Promise<Services>;
}
