import type { Problem, ProblemActionKind } from '../../shared/problem.ts';

/** Actions with which the user fixes the connection. */
const connecting: ReadonlySet<ProblemActionKind> = new Set<ProblemActionKind>([
  'setApiKey',
  'setBaseUrl',
  'useKeyForThisHost',
  'useNoKey',
  'useHttps',
]);

/** For a connection problem after the user has changed the connection: now the next step is to retry. */
export function retryFirst(problem: Problem): Problem {
  const retry = problem.actions.find(({ kind }) => kind === 'retry');
  const [first] = problem.actions;
  if (retry === undefined || first === undefined || !connecting.has(first.kind)) return problem;
  return { ...problem, actions: [retry, ...problem.actions.filter((action) => action !== retry)] };
}
