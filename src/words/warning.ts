import type { Problem } from '../shared/problem.ts';

/** Something that the user asked for and that can't be done, without a button. The detail says what to do instead. */
export function warning(title: string, detail: string): Problem {
  return { severity: 'warning', title, detail, actions: [], technical: '' };
}
