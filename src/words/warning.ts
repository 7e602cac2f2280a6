import type { Problem } from '../shared/problem.ts';

/** Something a person asked for that isn't done, with nothing to press: the detail says what to do instead. */
export function warning(title: string, detail: string): Problem {
  return { severity: 'warning', title, detail, actions: [], technical: '' };
}
