import type { ModelRef } from './modelRef.ts';

/** With these, a user changes the connection, mostly in an input box or a dialog of VS Code. */
export const connectionActions = [
  'setApiKey',
  'setBaseUrl',
  'findLocalServices',
  'useKeyForThisHost',
  'useNoKey',
  'useHttps',
] as const;

export const problemActionKinds = [
  'retry',
  'continue',
  ...connectionActions,
  'openKeysPage',
  'openCreditsPage',
  'openInferenceLogPage',
  'selectModel',
  'useModel',
  'openParameters',
  'changeField',
  'newChat',
  'summarize',
  'leaveOutEarliest',
  'testConnection',
  'openProxySettings',
  'openSettings',
  'showLog',
] as const;

/** What a button on a problem card does. The page sends the name, and the host decides what it means. */
export type ProblemActionKind = (typeof problemActionKinds)[number];

export interface ProblemAction {
  readonly kind: ProblemActionKind;
  readonly label: string;
  /** For `useModel`: the model to use instead. */
  readonly model?: ModelRef;
}

/** A failure in plain words, ready to draw. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly title: string;
  /** What happened, what was kept, and what happens next. */
  readonly detail: string;
  /** Best first. The first is drawn as a button, the others as links. */
  readonly actions: readonly ProblemAction[];
  /** ID of the service that it's about, which the actions concern; absent for the main one. */
  readonly service?: string;
  /** Status and code for the small line: `429 rate_limit_exceeded`. Empty without either. */
  readonly technical: string;
  readonly requestId?: string;
  /** Unix time in milliseconds before which a retry is pointless. */
  readonly retryAt?: number;
}

/** A problem in one line: what happened, what to do, and the details for the service's support. */
export function problemLine({ title, detail, technical, requestId }: Problem): string {
  const facts = [technical, requestId].filter((fact) => fact !== undefined && fact !== '');
  return `${title}. ${detail}${facts.length === 0 ? '' : ` (${facts.join(' · ')})`}`;
}
