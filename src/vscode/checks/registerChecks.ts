import * as vscode from 'vscode';
import type { ModelCatalogs } from '../../core/models/modelCatalogs.ts';
import type { AllMarks } from '../../core/models/allMarks.ts';
import { problemLine } from '../../shared/problem.ts';
import { watchServiceNames } from '../../words/modelLabel.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import { DisposableList } from '../platform/disposables.ts';
import { lazy } from '../platform/lazy.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Log } from '../platform/log.ts';
import type { Notifier } from '../platform/notify.ts';
import { requireTrust } from '../platform/requireTrust.ts';
import { pageLogOf } from '../platform/pages/pagePort.ts';
import type { FlushedAtEnd } from '../platform/offering.ts';
import type { Explainer } from '../problems/explainer.ts';
import { fileTroubleNotice } from '../problems/fileTroubleNotice.ts';
import type { RequestHistory } from '../requests/requestHistory.ts';
import { requestOfAttempt } from '../requests/log/requestOfAttempt.ts';
import type { ServiceSupport } from '../service/serviceSupport.ts';
import type { Services } from '../service/services.ts';
import { commandIds } from '../settings/contributions.ts';
import { givenRows } from '../settings/givenRows.ts';
import type { Settings } from '../settings/settings.ts';
import { openCheckRequestCommand } from './checksNames.ts';
import { CheckResultFiles } from './results/checkResultFiles.ts';
import { CheckTests } from './checkTests.ts';
import { ChecksPanel } from './checksPanel.ts';
import { chooseModels } from './chooseModels.ts';
import { hasChecksName, isChecksFile } from './checksFiles.ts';
import { keepAsCheck } from './keepAsCheck.ts';
import { newCheck } from './newCheck.ts';
import { registerChecksEditing } from './checksEditing.ts';
import { VerdictThread } from './verdictThread.ts';

export interface ChecksDeps extends FlushedAtEnd {
  readonly commands: CommandHandlers;
  readonly experiments: () => Promise<Experiments>;
  readonly models: { readonly catalog: ModelCatalogs; readonly marks: AllMarks };
  readonly settings: Pick<
    Settings,
    | 'chatDefaults'
    | 'onDidChangeChatDefaults'
    | 'requestsSaveContent'
    | 'checksConfirmAboveRequests'
    | 'checksConfirmAboveCost'
  >;
  readonly services: Pick<Services, 'check'>;
  readonly support: Pick<ServiceSupport, 'replacements'>;
  readonly explainer: Explainer;
  readonly notifier: Notifier;
  readonly history: RequestHistory;
  readonly log: Log;
  readonly storageUri: vscode.Uri;
  readonly extensionUri: vscode.Uri;
}

export interface RegisteredChecks extends vscode.Disposable {
  readonly tests: CheckTests;
}

/** Prompt checks: the Testing view, editor support, and the table of results. */
export function registerChecks(deps: ChecksDeps): RegisteredChecks {
  const own = new DisposableList();
  const { models, settings, services, explainer, notifier, history, log } = deps;
  const onError = (error: unknown) => log.error('Checks', error);
  const tell = (error: unknown) => notifier.problem(explainer.problemOfError(error, { during: 'command' }));
  const folder = vscode.Uri.joinPath(deps.storageUri, 'checks').fsPath;
  const results = new CheckResultFiles(
    folder,
    fileTroubleNotice(() => vscode.l10n.t('Check results'), deps),
  );
  const thread = lazy(async () => {
    const script = vscode.Uri.joinPath(deps.extensionUri, 'dist', 'late', 'verdictWorker.js');
    const { bundle } = vscode.l10n;
    return own.add(new VerdictThread(new URL(script.toString(true)), bundle === undefined ? {} : { bundle }));
  });
  const known = () => ({ index: models.catalog.index, favorites: models.marks.view.favorites });
  const tests = own.add(
    new CheckTests({
      models: known,
      defaultModel: () => settings.chatDefaults().model,
      chatDefaults: () => settings.chatDefaults(),
      results,
      experiments: deps.experiments,
      keepsReplies: () => settings.requestsSaveContent.value,
      limits: () => ({
        requests: settings.checksConfirmAboveRequests.value,
        cost: settings.checksConfirmAboveCost.value,
      }),
      run: async () => {
        const [experiments, verdicts] = await Promise.all([
          deps.experiments(),
          thread(),
          models.catalog.load(),
          models.marks.load(),
        ]);
        return {
          experiments,
          thread: verdicts,
          chatDefaults: () => settings.chatDefaults(),
          explain: (failure, model) => problemLine(explainer.problem(failure, { during: 'command', model })),
          onError,
        };
      },
      checkSetup: (model) => services.check(model ?? settings.chatDefaults().model),
      // Patterns and prices need a list of any age. Without one, the requests themselves report why.
      fetchLists: (only) => models.catalog.fetchMissing({ ...(only !== undefined && { only }) }).catch(() => undefined),
      chooseModels: (chosen) => chooseModels(models, settings.chatDefaults().model, chosen),
      served: (ids) => deps.support.replacements('chat', ids),
      loadModels: () => Promise.all([models.catalog.load(), models.marks.load()]),
      onError,
      tell,
    }),
  );
  deps.atEnd(async () => {
    await tests.results.saved();
    await results.settled();
  });
  const changed = () => tests.modelsChanged();
  own.add({ dispose: models.marks.onDidChange(changed) });
  own.add({ dispose: models.catalog.onDidChange(changed) });
  own.add({ dispose: watchServiceNames(changed) });
  own.add(settings.onDidChangeChatDefaults(() => tests.chatDefaultsChanged()));
  own.add(registerChecksEditing(tests, { models: known, onError }));
  tests.discovered().catch(onError);

  const register = (id: string, run: (...given: readonly unknown[]) => Promise<unknown>) =>
    deps.commands.handle(id, async (...given: readonly unknown[]) => {
      try {
        await run(...given);
      } catch (error) {
        tell(error);
      }
    });
  // Files in a folder only count once the user trusts it.
  const registerTrusted = (id: string, run: (...given: readonly unknown[]) => Promise<unknown>) =>
    register(id, async (...given) => {
      if (await requireTrust(vscode.l10n.t('Checks run only in trusted workspaces.'))) await run(...given);
    });
  registerTrusted(commandIds.newCheck, (given) => newCheck(given, tests));
  registerTrusted(commandIds.runChecks, (given, caseOrSelected) => runChecks(tests, given, caseOrSelected));
  const panel = own.add(
    new ChecksPanel({
      tests,
      chatDefaults: () => settings.chatDefaults(),
      experiments: deps.experiments,
      extensionUri: deps.extensionUri,
      pageLog: pageLogOf(log, 'checks'),
      onError,
      tell,
      say: (text, label, run) => notifier.info(text, [{ label, run }]),
    }),
  );
  registerTrusted(commandIds.showChecks, async (given) => panel.show(uriOf(given)));
  registerTrusted(commandIds.keepRequestAsCheck, (given) => keepAsCheck(given, history, tests));
  register(openCheckRequestCommand, async (attempt) => {
    const request = await requestOfAttempt(history, attempt);
    if (request === undefined) notifier.info(vscode.l10n.t('This request was deleted from the request history.'));
    else await vscode.commands.executeCommand(commandIds.showRequest, { request });
  });
  return { tests, dispose: () => own.dispose() };
}

/** The URI of a file, or of an item in the Testing view. */
function uriOf(given: unknown): vscode.Uri | undefined {
  const uri: unknown = typeof given === 'object' && given !== null && 'uri' in given ? given.uri : given;
  return uri instanceof vscode.Uri ? uri : undefined;
}

/** Runs one case, the selected files, those for the prompt in front, or everything. */
async function runChecks(tests: CheckTests, given: unknown, caseOrSelected: unknown): Promise<void> {
  await tests.discovered();
  const chosen = givenRows(given, caseOrSelected).filter((row) => row instanceof vscode.Uri);
  const editor = vscode.window.activeTextEditor;
  const uris = chosen.length > 0 || editor === undefined ? chosen : [editor.document.uri];
  // One that was created a moment ago isn't in the tree yet: without this, all others would run in its place.
  for (const uri of uris) if (isChecksFile(uri) && tests.tree.file(uri) === undefined) await tests.refresh(uri);
  const files = [...new Set(uris.flatMap((uri) => tests.tree.file(uri) ?? tests.tree.filesFor(uri)))];
  const items = files.flatMap(({ uri }) => {
    const item =
      typeof caseOrSelected === 'string' ? tests.tree.caseItem(uri, caseOrSelected) : tests.tree.fileItem(uri);
    return item ?? [];
  });
  const isEverything = chosen.length === 0 && files.length === 0 && !uris.some((uri) => hasChecksName(uri));
  if (!isEverything && items.length === 0) return;
  await vscode.commands.executeCommand('workbench.view.testing.focus');
  await tests.runItems(isEverything ? undefined : items);
}
