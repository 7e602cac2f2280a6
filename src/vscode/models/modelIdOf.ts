import type { ModelRef } from '../../shared/modelRef.ts';

/** The model that a command was called for: its ID, `{id}`, or a row of the tree. Undefined for anything else. */
export function modelIdOf(target: unknown): ModelRef | undefined {
  if (typeof target === 'string') return target;
  if (typeof target !== 'object' || target === null) return undefined;
  if ('entry' in target) return modelIdOf(target.entry);
  if ('model' in target) return modelIdOf(target.model);
  return 'id' in target && typeof target.id === 'string' ? target.id : undefined;
}
