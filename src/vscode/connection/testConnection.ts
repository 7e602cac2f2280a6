import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { isNoSuchPath, type ServiceFacts } from '../../api/service/serviceFacts.ts';
import type { CallOptions } from '../../api/callOptions.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import type { HostForm } from '../../api/types.ts';
import type { ModelIndex } from '../../core/models/modelIndex.ts';
import { problemOfNoModels } from '../../core/problems/problemOf.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';
import type { ReplyMetrics } from '../../shared/chat.ts';
import type { ApiFailure, SetupFailure } from '../../shared/apiFailure.ts';
import { commandIds } from '../settings/contributions.ts';
import type { EndpointSource } from '../service/endpoint.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { Notifier, NotifyButton, OwnActions } from '../platform/notify.ts';
import type { ServicePages } from '../service/service.ts';
import { supportedList } from '../../core/services/supportText.ts';
import type { ServiceEntry } from '../../core/services/serviceEntry.ts';
import { askOnce, attempt, cancellably } from '../models/testRequest.ts';
import { speedText } from '../../words/replySpeed.ts';
import { modelLabel } from '../../words/modelLabel.ts';

// Enough for one word, but nearly free.
const testTokens = 16;
const testPrompt = 'Reply with the word: ready';

export interface TestConnectionDeps {
  readonly service: InferenceCalls;
  /** ID of the service that is tested. */
  readonly id: string;
  readonly catalog: {
    readonly refresh: (options: { readonly signal: AbortSignal }) => Promise<unknown>;
    readonly index: ModelIndex;
  };
  readonly endpoint: EndpointSource;
  readonly explainer: Explainer;
  readonly notifier: Notifier;
  /** Finds out what the service has, for free. */
  readonly discover: (options: CallOptions) => Promise<ServiceFacts>;
  readonly entry: () => ServiceEntry;
  /** Shows what was found. */
  readonly showService: () => Promise<void>;
  readonly pages: () => ServicePages;
  /** The default model, if any. */
  readonly model: () => string | undefined;
  /** Does what a button of a problem does. */
  readonly runAction: (action: ProblemActionKind, service: string) => Promise<void>;
  /** Sends requests to the service without a key from now on. */
  readonly useNoKey: () => Promise<void>;
  /** Lets the user select one. In place of the default model, it becomes the default. */
  readonly chooseModel: () => Promise<string | undefined>;
}

/**
 * Sends a small chat request to each form of the host separately, because a fallback would hide what's wrong. Shows the
 * result with a next step.
 */
export async function testConnection(deps: TestConnectionDeps): Promise<void> {
  const model = deps.model() ?? (await modelForTest(deps));
  if (model !== undefined) await testWith(model, deps);
}

async function testWith(model: ModelRef, deps: TestConnectionDeps): Promise<void> {
  const { service, explainer, notifier } = deps;
  for (const fault of faultsOf(deps.endpoint)) {
    notifier.problem(explainer.problem(fault, { during: 'command', service: deps.id }));
  }
  const addresses = deps.endpoint.addresses();
  const legacy = 'kind' in addresses ? undefined : addresses.fallbackBaseUrl;
  const hosts: readonly (readonly [HostForm, string])[] = [
    ['current', deps.endpoint.host],
    ...(legacy === undefined ? [] : [['legacy', legacy.host] as const]),
  ];
  const title = vscode.l10n.t('Testing {0} at {1}…', modelLabel(model), hosts.map(([, host]) => host).join(', '));
  const test = { model, prompt: testPrompt, maxTokens: testTokens };
  // One progress notification for both: VS Code shows at most three notifications that arrive almost at once.
  await cancellably(title, async (signal) => {
    for (const [hostForm, host] of hosts) {
      const outcome = await attempt(explainer, { model, during: 'connectionTest' }, signal, () =>
        askOnce(service, test, { signal, hostForm }),
      );
      if (outcome.type === 'canceled') {
        return;
      }
      if (outcome.type === 'problem') {
        notifier.problem(outcome.problem, { own: actsOf(deps, () => testWith(model, deps)) });
        // It might support something else, and it's useful to know before the next question that it doesn't support
        // chat.
        const { failure } = outcome;
        const isElsewhere = failure?.kind === 'redirected';
        if (hostForm === 'current' && failure !== undefined && isNoSuchPath(failure) && !isElsewhere) {
          await found(deps, signal);
        }
      } else {
        // The hosts have the same operations.
        const facts = hostForm === 'current' ? await found(deps, signal) : undefined;
        notifier.info(
          answerText(host, model, outcome.value, facts && supportedList(facts, deps.entry(), Date.now())),
          buttonsFor(deps, facts !== undefined),
        );
      }
    }
  });
}

/** No model is set: the model list is the first test, and then the user selects one. */
async function modelForTest(deps: TestConnectionDeps): Promise<string | undefined> {
  const title = vscode.l10n.t('Fetching the model list…');
  const outcome = await cancellably(title, (signal) =>
    attempt(deps.explainer, { during: 'connectionTest', service: deps.id }, signal, () =>
      deps.catalog.refresh({ signal }),
    ),
  );
  if (outcome.type === 'canceled') {
    return undefined;
  }
  if (outcome.type === 'problem' && !hasNoCatalog(outcome.failure)) {
    deps.notifier.problem(outcome.problem, { own: actsOf(deps, () => testConnection(deps)) });
    return undefined;
  }
  if (outcome.type === 'ok' && deps.catalog.index.models.length === 0) {
    const problem = problemOfNoModels(deps.explainer.context({ during: 'connectionTest', service: deps.id }));
    deps.notifier.problem(problem, { own: actsOf(deps, () => testConnection(deps)) });
    return undefined;
  }
  return deps.chooseModel();
}

/** The test is repeated with the model that the user selects, and once the service can be reached another way. */
function actsOf(deps: TestConnectionDeps, again: () => Promise<void>): OwnActions {
  const thenAgain = (act: () => Promise<void>) => async () => {
    const before = await wayTo(deps.endpoint);
    await act();
    // If it's the same, the user canceled.
    if ((await wayTo(deps.endpoint)) !== before) await again();
  };
  return {
    useNoKey: thenAgain(deps.useNoKey),
    useKeyForThisHost: thenAgain(() => deps.runAction('useKeyForThisHost', deps.id)),
    useHttps: thenAgain(() => deps.runAction('useHttps', deps.id)),
    selectModel: async () => {
      const model = await deps.chooseModel();
      if (model !== undefined) await testWith(model, deps);
    },
  };
}

/** What can be reached: it's another text once the user has changed it. */
async function wayTo(endpoint: EndpointSource): Promise<string> {
  const obstacle = await endpoint.check().then(
    () => '',
    (error: unknown) => String(error),
  );
  return [endpoint.host, obstacle, ...(await endpoint.unapproved())].join('\n');
}

/** Some services have no model list, but can chat. Then the user types the model's name. */
function hasNoCatalog(failure: ApiFailure | undefined): boolean {
  return failure !== undefined && 'status' in failure && [404, 405, 501].includes(failure.status ?? 0);
}

/** With requests that are rejected before any work is done. Undefined if it was canceled. */
async function found(deps: TestConnectionDeps, signal: AbortSignal): Promise<ServiceFacts | undefined> {
  const outcome = await attempt(deps.explainer, { during: 'connectionTest', service: deps.id }, signal, () =>
    deps.discover({ signal }),
  );
  return outcome.type === 'ok' ? outcome.value : undefined;
}

function buttonsFor({ id, pages, showService }: TestConnectionDeps, isFound: boolean): NotifyButton[] {
  const buttons: NotifyButton[] = [];
  if (isFound) buttons.push({ label: vscode.l10n.t('Show What It Supports'), run: showService });
  if (pages().inferenceLog !== undefined) {
    const run = async () =>
      void (await vscode.commands.executeCommand(commandIds.openInferenceLogPage, { service: id }));
    buttons.push({ label: vscode.l10n.t('Open Inference Log'), run });
  }
  return buttons;
}

function faultsOf(endpoint: EndpointSource): readonly SetupFailure[] {
  const addresses = endpoint.addresses();
  return 'kind' in addresses ? [] : addresses.faults;
}

function answerText(host: string, model: ModelRef, answer: ReplyMetrics, works = ''): string {
  // A word or two say nothing about a model's speed.
  const { timeToFirstTokenSeconds: _first, tokensPerSecond: _rate, ...rest } = answer;
  const figures = speedText(rest);
  return works === ''
    ? vscode.l10n.t('The connection works: {0}. {1} replied at {2}.', figures, modelLabel(model), host)
    : vscode.l10n.t(
        'The connection works: {0}. {1} replied at {2}. Supported: {3}.',
        figures,
        modelLabel(model),
        host,
        works,
      );
}
