import type { PromptTarget } from '../../../core/prompts/promptDefinition.ts';
import type { PromptSource } from './promptSource.ts';

/** Whether the reply goes into what it is about. */
export function writes(target: PromptTarget | 'ask'): boolean {
  return target === 'replace' || target === 'cursor';
}

/** What is written into the document is asked for each selection by itself; all else at once. */
export function partsOf(source: PromptSource, target: PromptTarget): readonly PromptSource[];
export function partsOf(source: PromptSource | undefined, target: PromptTarget): readonly (PromptSource | undefined)[];
export function partsOf(source: PromptSource | undefined, target: PromptTarget): readonly (PromptSource | undefined)[] {
  if (source === undefined || !writes(target) || source.ranges.length < 2) return [source];
  return source.ranges.map((range) => ({ ...source, ranges: [range] }));
}
