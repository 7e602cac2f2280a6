import { type FaultPlan, planOf } from './faultPlan.ts';
import { Random } from './random.ts';
import type { StoreUnderTest, WindowName } from './storeUnderTest.ts';

export interface Step {
  readonly window: WindowName;
  readonly op: unknown;
  /** Starts without waiting for the previous step, which is the other window's. */
  readonly isAtOnce: boolean;
}

/** Two windows that share a folder: what they do, and which faults happen. All of it follows from the seed. */
export interface Schedule {
  readonly seed: number;
  readonly store: StoreUnderTest;
  readonly plans: Readonly<Record<WindowName, FaultPlan>>;
  readonly steps: readonly Step[];
  /** A window that was killed is reopened without faults while the other one continues. */
  readonly reopens: boolean;
  /** Exists before the windows open. */
  readonly damaged?: { readonly name: string; readonly text: string };
}

export function scheduleOf(seed: number, stores: readonly StoreUnderTest[]): Schedule {
  const random = new Random(seed);
  const store = stores[seed % stores.length];
  if (store === undefined) throw new Error('There are no stores');
  const plans = { A: planOf(random), B: planOf(random) };
  const steps: Step[] = [];
  for (let count = random.between(3, 9); count > 0; count -= 1) {
    const last = steps.at(-1);
    const window = random.pick(['A', 'B'] as const);
    const isAtOnce = last !== undefined && last.window !== window && !last.isAtOnce && random.chance(0.3);
    steps.push({ window, op: store.operation(random, window, steps), isAtOnce });
  }
  const damaged = random.chance(0.1) ? store.damaged?.(random) : undefined;
  return { seed, store, plans, steps, reopens: random.chance(0.5), ...(damaged !== undefined && { damaged }) };
}

/** For a developer who investigates a failure. */
export function scheduleText({ seed, store, plans, steps, reopens, damaged }: Schedule): string {
  return [
    `seed ${seed}, ${store.name}${reopens ? ', a killed window is opened again' : ''}`,
    ...(damaged === undefined ? [] : [`  before: ${damaged.name} has ${damaged.text}`]),
    `  A: ${JSON.stringify(plans.A)}`,
    `  B: ${JSON.stringify(plans.B)}`,
    ...steps.map(({ window, op, isAtOnce }) => `  ${isAtOnce ? 'meanwhile ' : ''}${window} ${JSON.stringify(op)}`),
  ].join('\n');
}
