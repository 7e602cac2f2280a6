import { connectionActions, type Problem, type ProblemActionKind } from '../../shared/problem.ts';

const connecting: ReadonlySet<ProblemActionKind> = new Set(connectionActions);

/** For a connection problem after the user has changed the connection: now the next step is to retry. */
export function retryFirst(problem: Problem): Problem {
  const retry = problem.actions.find(({ kind }) => kind === 'retry');
  const [first] = problem.actions;
  if (retry === undefined || first === undefined || !connecting.has(first.kind)) return problem;
  return { ...problem, actions: [retry, ...problem.actions.filter((action) => action !== retry)] };
}
