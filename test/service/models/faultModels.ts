import { chunkShapes } from '../faults/chunkShapes.ts';
import { endings } from '../faults/endings.ts';
import { errorBodies } from '../faults/errorBodies.ts';
import type { Fault } from '../faults/faultScript.ts';
import { foreignBodies } from '../faults/foreignBodies.ts';
import { framing } from '../faults/framing.ts';
import { silences } from '../faults/silences.ts';
import { sizes } from '../faults/sizes.ts';
import { streamErrors } from '../faults/streamErrors.ts';
import type { ModelDefinition } from './modelDefinition.ts';
import { usualPrice } from './writingModel.ts';

const faults: readonly Fault[] = [
  ...streamErrors,
  ...endings,
  ...framing,
  ...chunkShapes,
  ...foreignBodies,
  ...errorBodies,
  ...sizes,
  ...silences,
];

/** Models that each respond in their own broken way, streamed or not. */
export function faultModels(): readonly ModelDefinition[] {
  return faults.map((fault) => ({
    id: `local/fault-${fault.name}`,
    description: fault.description,
    kind: 'chat',
    contextWindow: 1_000_000,
    maxOutputTokens: 200_000,
    price: usualPrice,
    hidden: true,
    behavior: { type: 'breaking', fault },
  }));
}
