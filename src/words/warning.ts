import type { Problem } from '../shared/problem.ts';

/**
 * A warning without a button, about something that the user asked for and that can't be done. The detail says what to
 * do instead.
 */
export function warning(title: string, detail: string): Problem {
  return { severity: 'warning', title, detail, actions: [], technical: '' };
}
