import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import type { ExperimentModel } from './experiment.ts';
import type { PlannedSend } from './experimentRun.ts';

/**
 * Who waits for a service that refused their requests for now. All of them wait for the same moment: the service gets one
 * request to try, and the others wait on if it refuses that, too.
 */
export class BusyWaits<Waiter> {
  /** With the model that was asked. */
  readonly #waiters = new Map<Waiter, ModelRef>();
  readonly #tell: (waiter: Waiter, until: number | undefined) => void;

  /** @param tell called with the end of a wait, as Unix time in milliseconds, and with undefined once it's over */
  constructor(tell: (waiter: Waiter, until: number | undefined) => void) {
    this.#tell = tell;
  }

  /** The listeners for one run. @param waiterOf returns who waits for a request's reply */
  of(waiterOf: (request: PlannedSend['request']) => Waiter | undefined) {
    return {
      onPaused: (request: PlannedSend['request'], until: number): void => {
        const waiter = waiterOf(request);
        if (waiter !== undefined) this.#waiters.set(waiter, request.model.id);
        this.#tellAll(request.model.id, until);
      },
      onSending: ({ request }: PlannedSend): void => {
        this.#tellAll(request.model.id, undefined);
        const waiter = waiterOf(request);
        if (waiter !== undefined) this.#waiters.delete(waiter);
      },
      onGaveUp: (model: ExperimentModel): void => {
        for (const [waiter, asked] of this.#waiters) {
          if (asked !== model.id) continue;
          this.#waiters.delete(waiter);
          this.#tell(waiter, undefined);
        }
      },
    };
  }

  #tellAll(model: ModelRef, until: number | undefined): void {
    const { service } = refParts(model);
    for (const [waiter, asked] of this.#waiters) if (refParts(asked).service === service) this.#tell(waiter, until);
  }
}
