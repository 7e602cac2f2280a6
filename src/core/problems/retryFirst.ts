import type { Problem, ProblemActionKind } from '../../shared/problem.ts';

/** What a person does about the connection. */
const connecting: ReadonlySet<ProblemActionKind> = new Set<ProblemActionKind>([
  'setApiKey',
  'setBaseUrl',
  'useKeyForThisHost',
  'useNoKey',
  'useHttps',
]);

/** For a problem of the connection that a person has changed since: the next thing to do is to try again. */
export function retryFirst(problem: Problem): Problem {
  const retry = problem.actions.find(({ kind }) => kind === 'retry');
  const [first] = problem.actions;
  if (retry === undefined || first === undefined || !connecting.has(first.kind)) return problem;
  return { ...problem, actions: [retry, ...problem.actions.filter((action) => action !== retry)] };
}
