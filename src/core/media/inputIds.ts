import type { FormValues } from '../../shared/media.ts';

/** IDs of the copied files in a form. */
export function inputIds({ inputs }: FormValues): readonly string[] {
  return Object.values(inputs).flatMap((input) => (input.kind === 'file' ? [input.id] : []));
}
