/**
 * The service that a command was called for: `{service}`, or its row in the Models view. Undefined for anything else.
 */
export function serviceIdOf(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null || !('service' in target)) return undefined;
  return typeof target.service === 'string' ? target.service : undefined;
}
