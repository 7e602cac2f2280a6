import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import type { CallOptions, HostForm, ServiceMetrics, Usage } from '../../api/types.ts';
import { problemOfNoModels } from '../../core/problem.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { Problem } from '../../shared/problem.ts';
import { contextKeys } from '../contributions.ts';
import type { EndpointSource } from '../endpoint.ts';
import type { Circumstances, Explainer } from '../explainer.ts';
import type { Notifier } from '../notify.ts';
import type { ServiceCalls } from './serviceCalls.ts';

// Enough for a word, little enough to cost next to nothing.
const testTokens = 16;

export interface TestConnectionDeps {
  readonly service: ServiceCalls;
  readonly endpoint: EndpointSource;
  readonly explainer: Explainer;
  readonly notifier: Notifier;
  /** The model new conversations use, if any. */
  readonly model: () => string | undefined;
  /** Lets the person choose one, and makes it the default. */
  readonly chooseModel: () => Promise<string | undefined>;
}

/** A test that went well. */
interface Answer {
  readonly usage?: Usage;
  readonly metrics?: ServiceMetrics;
  readonly measuredMs: number;
}

type Outcome<T> =
  | { readonly type: 'ok'; readonly value: T }
  | { readonly type: 'cancelled' }
  | { readonly type: 'problem'; readonly problem: Problem; readonly failure?: ApiFailure };

/**
 * Makes a small chat request to each form of the host by itself, since one that fell back to the other
 * would hide what is wrong, and says what came of it, in words and with the next step.
 */
export async function testConnection(deps: TestConnectionDeps): Promise<void> {
  const model = deps.model() ?? (await modelForTest(deps));
  if (model === undefined) {
    return;
  }
  const addresses = deps.endpoint.addresses();
  const legacy = 'kind' in addresses ? undefined : addresses.legacyBaseUrl;
  const hosts: readonly (readonly [HostForm, string])[] = [
    ['current', deps.endpoint.host],
    ...(legacy === undefined ? [] : [['legacy', legacy.host] as const]),
  ];
  const title = vscode.l10n.t('Asking {0} at {1} for a word…', model, hosts.map(([, host]) => host).join(', '));
  // One progress for both: VS Code shows no more than three notifications that come almost at once.
  await cancellably(title, async (signal) => {
    for (const [hostForm, host] of hosts) {
      const outcome = await attempt(deps, { model }, signal, () => askOnce(deps.service, model, { signal, hostForm }));
      if (outcome.type === 'cancelled') {
        return;
      }
      if (outcome.type === 'problem') {
        deps.notifier.problem(outcome.problem);
      } else {
        await vscode.commands.executeCommand('setContext', contextKeys.connectionWorks, true);
        deps.notifier.info(answerText(host, model, outcome.value));
      }
    }
  });
}

/** No model is chosen: the list of models is the first test, and then the person chooses. */
async function modelForTest(deps: TestConnectionDeps): Promise<string | undefined> {
  const title = vscode.l10n.t('Asking for the list of models…');
  const outcome = await cancellably(title, (signal) =>
    attempt(deps, {}, signal, () => deps.service.listModels({ signal })),
  );
  if (outcome.type === 'cancelled') {
    return undefined;
  }
  if (outcome.type === 'problem' && !hasNoCatalogue(outcome.failure)) {
    deps.notifier.problem(outcome.problem);
    return undefined;
  }
  if (outcome.type === 'ok' && outcome.value.length === 0) {
    const problem = problemOfNoModels(deps.explainer.context({ during: 'connectionTest' }));
    deps.notifier.problem(problem);
    return undefined;
  }
  return deps.chooseModel();
}

/** Some services have no catalogue, and chat all the same: the person types the model's name then. */
function hasNoCatalogue(failure: ApiFailure | undefined): boolean {
  return failure !== undefined && 'status' in failure && (failure.status === 404 || failure.status === 405);
}

/** Runs with a notification that says what goes on, and whose button aborts it. */
function cancellably<T>(title: string, run: (signal: AbortSignal) => Promise<T>): Thenable<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (_progress, cancellation) => {
      const abort = new AbortController();
      const subscription = cancellation.onCancellationRequested(() => abort.abort());
      try {
        return await run(abort.signal);
      } finally {
        subscription.dispose();
      }
    },
  );
}

async function attempt<T>(
  deps: Pick<TestConnectionDeps, 'explainer'>,
  circumstances: Circumstances,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<Outcome<T>> {
  try {
    return { type: 'ok', value: await run() };
  } catch (error) {
    if (signal.aborted) {
      return { type: 'cancelled' };
    }
    const problem = deps.explainer.problemOfError(error, { ...circumstances, during: 'connectionTest' });
    return { type: 'problem', problem, ...(error instanceof ApiError ? { failure: error.failure } : {}) };
  }
}

async function askOnce(service: ServiceCalls, model: string, options: CallOptions): Promise<Answer> {
  const startedAt = performance.now();
  let usage: Usage | undefined;
  let metrics: ServiceMetrics | undefined;
  const request = {
    model,
    messages: [{ role: 'user' as const, content: 'Reply with the word: ready' }],
    max_tokens: testTokens,
    stream: true,
  };
  for await (const event of service.streamChat(request, options)) {
    if (event.type === 'usage') {
      ({ usage } = event);
    } else if (event.type === 'metrics') {
      ({ metrics } = event);
    }
  }
  return {
    measuredMs: performance.now() - startedAt,
    ...(usage === undefined ? {} : { usage }),
    ...(metrics === undefined ? {} : { metrics }),
  };
}

function answerText(host: string, model: string, answer: Answer): string {
  const seconds = answer.metrics?.totalTimeSeconds ?? answer.measuredMs / 1000;
  const { promptTokens, completionTokens } = answer.usage ?? {};
  const facts = [vscode.l10n.t('{0} s', seconds.toFixed(2))];
  const ttft = answer.metrics?.ttftSeconds;
  if (ttft !== undefined) {
    facts.push(vscode.l10n.t('first token after {0} s', ttft.toFixed(2)));
  }
  if (promptTokens !== undefined && completionTokens !== undefined) {
    facts.push(vscode.l10n.t('{0} → {1} tokens', promptTokens, completionTokens));
  }
  // Figures first: VS Code cuts a notification at its end.
  return vscode.l10n.t('The connection works: {0}. {1} answered at {2}.', facts.join(' · '), model, host);
}
