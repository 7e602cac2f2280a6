import type { Problem, ProblemActionKind } from '../../../shared/problem.ts';
import { type ChatState, modelOf } from './chatState.ts';

/** What a person changes with a problem's button; undefined where nothing that this page knows of. */
const changedBy: Readonly<Record<ProblemActionKind, 'connection' | 'model' | 'options' | undefined>> = {
  setApiKey: 'connection',
  setBaseUrl: 'connection',
  useKeyForThisHost: 'connection',
  useNoKey: 'connection',
  useHttps: 'connection',
  selectModel: 'model',
  useModel: 'model',
  openParameters: 'options',
  retry: undefined,
  continue: undefined,
  openKeysPage: undefined,
  openCreditsPage: undefined,
  openInferenceLogPage: undefined,
  newChat: undefined,
  testConnection: undefined,
  openProxySettings: undefined,
  openSettings: undefined,
  showLog: undefined,
};

/**
 * Whether what a problem asked the person to change is another by now, wherever it was changed: what the problem
 * said may not be true any more. If it still is, the next try says so again.
 */
export function isSettled(problem: Problem, before: ChatState, now: ChatState): boolean {
  return problem.actions.some(({ kind }) => {
    const part = changedBy[kind];
    if (part === undefined || contentOf[part](before) === contentOf[part](now)) return false;
    // The news that something is missing may come after the refusal that it caused.
    return part !== 'connection' || !isReady(before) || isReady(now);
  });
}

function isReady({ connection }: ChatState): boolean {
  return connection.state === 'ready' && connection.problem === undefined;
}

const contentOf = {
  connection: ({ connection }: ChatState) => JSON.stringify(connection),
  model: modelOf,
  options: ({ defaults, options }: ChatState) => JSON.stringify({ ...defaults, ...options }),
};
