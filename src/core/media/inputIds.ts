import type { FormValues } from '../../shared/media.ts';

/** IDs of the copied files in a form. */
export function inputIds({ inputs: { image, audio } }: FormValues): readonly string[] {
  return [image, audio].flatMap((input) => (input?.kind === 'file' ? [input.id] : []));
}
