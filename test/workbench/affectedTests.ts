import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findFiles } from './findFiles.ts';
import { projectFolder, projectPath } from './folders.ts';
import { type Importers, reachedFrom, readImporters } from './importGraph.ts';

/** Tests that reach a feature through VS Code or a page, without an import; all paths are prefixes. */
export const testsOfFeature: Readonly<Record<string, readonly string[]>> = {
  'src/vscode/agentTools/': ['test/host/agentTools.', 'test/ui/agentTools.'],
  'src/vscode/attachments/': [
    'test/host/completions.',
    'test/host/context.',
    'test/host/pageAttachments.',
    'test/host/secretFile.',
    'test/ui/attachments.',
    'test/ui/images.',
  ],
  'src/vscode/chat/': [
    'test/host/askAboutSelection.',
    'test/host/codeActs.',
    'test/host/compareCode.',
    'test/host/conversationPick.',
    'test/host/longChat.',
    'test/host/pageAttachments.',
    'test/host/suggestions.',
    'test/host/unservedChat.',
    'test/ui/attachments.',
    'test/ui/chat.',
    'test/ui/messages.',
  ],
  'src/vscode/connection/': [
    'test/host/connection.',
    'test/host/findLocalServices.',
    'test/host/key.',
    'test/host/service',
    'test/host/setApiKey.',
    'test/ui/connections.',
    'test/ui/services.',
    'test/ui/walkthrough.',
  ],
  'src/vscode/settings/': ['test/host/settings.', 'test/host/walkthroughSteps.', 'test/ui/walkthrough.'],
  'src/vscode/service/': [
    'test/host/connection.',
    'test/host/dispatcher.',
    'test/host/key.',
    'test/host/legacyHost.',
    'test/host/services.',
    'test/host/threeServices.',
    'test/host/transport.',
    'test/host/twoServices.',
    'test/ui/connections.',
  ],
  'src/vscode/conversations/': ['test/ui/conversations.', 'test/ui/manyChats.'],
  'src/vscode/commitMessage/': ['test/host/commitMessage', 'test/ui/commitMessage.'],
  'src/vscode/diagnostics/': ['test/host/diagnostics.'],
  'src/vscode/disk/': ['test/host/requests.', 'test/ui/restart.'],
  'src/vscode/languageModel/': ['test/host/languageModels.', 'test/host/modelInformation.', 'test/host/wireMessages.'],
  'src/vscode/media/': ['test/host/media', 'test/ui/media'],
  'src/vscode/checks/': ['test/host/check', 'test/host/keepAsCheck.', 'test/ui/checks.', 'test/ui/page/checks'],
  'src/vscode/compare/': ['test/host/compare.', 'test/ui/compare', 'test/ui/page/compare'],
  'src/vscode/experiments/': ['test/host/checks.', 'test/ui/measure.'],
  'src/vscode/measure/': [
    'test/host/measure.',
    'test/host/saveMeasurement.',
    'test/ui/measure.',
    'test/ui/page/measure',
  ],
  'src/vscode/models/': ['test/host/model', 'test/host/pickModel.', 'test/host/setModelDetails.', 'test/ui/models.'],
  'src/vscode/native/': ['test/ui/nativeChat.'],
  'src/vscode/participant/': ['test/host/participant'],
  'src/vscode/prompts/': ['test/host/prompts/', 'test/ui/prompts.', 'test/ui/promptChanges.'],
  'src/vscode/requests/': ['test/host/budgets.', 'test/host/requests.', 'test/ui/requestPage.', 'test/ui/requests.'],
  'src/vscode/statusBar/': ['test/host/statusItem.', 'test/host/watchStatus.'],
  'src/webview/checks/': ['test/ui/page/checks', 'test/ui/checks.'],
  'src/webview/compare/': ['test/ui/page/compare', 'test/ui/compare'],
  'src/webview/request/': ['test/ui/page/request', 'test/ui/requestPage.', 'test/ui/requests.'],
  'src/webview/chat/': ['test/ui/page/chat', 'test/ui/chat.'],
  'src/webview/markdown/': ['test/ui/page/markdown', 'test/ui/page/chatTranscript.'],
  'src/webview/media/': ['test/ui/page/media', 'test/ui/media'],
  'src/webview/modelDetails/': ['test/ui/page/pageAccess.'],
  'src/webview/measure/': ['test/ui/page/measure', 'test/ui/measure.'],
  'src/webview/usage/': ['test/ui/page/pageAccess.', 'test/ui/page/usagePage.', 'test/ui/requests.'],
  'src/vscode/platform/': [
    'test/host/insertedLinks.',
    'test/host/openModelText.',
    'test/host/activation.',
    'test/host/log.',
    'test/ui/chat.',
  ],
  'src/vscode/problems/': ['test/host/problemActions.', 'test/ui/errors.'],
  'src/vscode/start/': ['test/host/activation.', 'test/ui/firstRun.'],
  'src/vscode/': ['test/host/activation.', 'test/host/settings.', 'test/ui/chat.'],
  'src/extension.ts': ['test/host/activation.', 'test/host/settings.', 'test/ui/firstRun.'],
  // And `package.nls.json`.
  'package.': ['test/host/activation.', 'test/host/settings.', 'test/ui/firstRun.'],
  'src/webview/kit/': ['test/ui/page/'],
  'src/webview/': ['test/ui/page/chat'],
};

/** Tests of what all features have in common, by their beginnings: a change in one feature doesn't run them. */
export const testsOfEverything: readonly string[] = [
  'test/host/pageFaults.',
  'test/host/security.',
  'test/host/setSelection.',
  'test/ui/access.',
  'test/ui/commands.',
  'test/ui/everyChoice.',
  'test/ui/hostile.',
  'test/ui/keyboard.',
  'test/ui/packaged/',
  'test/ui/restrictedMode.',
  'test/ui/survival.',
  'test/ui/virtualWorkspace.',
  'test/ui/watchedWorkbench.',
];

/** Tests that read all sources, texts, and pages, for rules that any change can break. */
const testsOfRules = /^test\/unit\/[^/]+\.test\.ts$/;

/** Too many tests import these, for IDs and the like. */
const importedByMost = ['src/vscode/settings/', 'src/vscode/platform/', 'src/vscode/', 'src/webview/'];

/** A change that affects so many features that only the whole run tests it. */
const mostFeatures = 4;

export interface AffectedTests {
  /** Test files, by their paths in the project. */
  readonly files: readonly string[];
  /** Features that these files leave out, because the change affects too many. */
  readonly leftOut: readonly string[];
}

interface Graph {
  /** Test files, by their paths in the project. */
  readonly tests: readonly string[];
  readonly importers: Importers;
}

/** Read once per process, because it takes seconds. */
let graph: Promise<Graph> | undefined;

async function readGraph(): Promise<Graph> {
  const tests = await findFiles('test/{unit,host,ui,faults}/**/*.test.ts');
  const importers = await readImporters([...tests, ...(await findFiles('src/**/*.ts'))]);
  return { tests: tests.map(projectPath), importers };
}

/** @param changed paths in the project, with forward slashes */
export async function affectedTests(changed: readonly string[]): Promise<AffectedTests> {
  const { tests, importers } = await (graph ??= readGraph());
  const reached = reachedFrom(changed, importers);
  // A host or ui test's imports from the extension aren't what it drives from outside; its own drivers are.
  const reachedByTests = reachedFrom(
    changed.filter((path) => path.startsWith('test/')),
    importers,
  );
  const features = featuresOf(changed, importers);
  const isTooMuch = features.length > mostFeatures;
  const beginnings = isTooMuch
    ? (testsOfFeature['src/vscode/'] ?? [])
    : features.flatMap((one) => testsOfFeature[one] ?? []);
  const reachedByImports = reachedFrom(testsThatImport(isTooMuch ? [] : features, importers), importers);
  const names = changed.map((path) => basename(path));
  const isAffected = async (test: string): Promise<boolean> => {
    if (
      (changed.length > 0 && testsOfRules.test(test)) ||
      changed.includes(test) ||
      reachedByTests.has(test) ||
      beginnings.some((beginning) => test.startsWith(beginning))
    )
      return true;
    if (/^test\/(host|ui\/(?!page))/.test(test)) return reachedByImports.has(test);
    if (reached.has(test)) return true;
    // Read or started by its path, for example the manifest or a script.
    const text = await readFile(resolve(projectFolder, test), 'utf8');
    return names.some((name) => text.includes(name));
  };
  const verdicts = await Promise.all(tests.map(isAffected));
  return { files: tests.filter((_, index) => verdicts[index]), leftOut: isTooMuch ? features : [] };
}

/** Files in `test/` that import one of the features' files themselves: in VS Code, they're about more than that file. */
function testsThatImport(features: readonly string[], importers: Importers): readonly string[] {
  const narrow = features.filter((feature) => !importedByMost.includes(feature));
  return [...importers]
    .filter(([path]) => narrow.some((feature) => path.startsWith(feature)))
    .flatMap(([, by]) => [...by].filter((path) => path.startsWith('test/')));
}

/** The features that the files belong to, or that import them with no feature in between. */
function featuresOf(changed: readonly string[], importers: Importers): readonly string[] {
  const prefixes = Object.keys(testsOfFeature);
  const featureOf = (path: string): string | undefined => prefixes.find((prefix) => path.startsWith(prefix));
  const features = new Set<string>();
  const seen = new Set(changed);
  for (const path of seen) {
    const feature = featureOf(path);
    if (feature !== undefined) features.add(feature);
    else for (const importer of importers.get(path) ?? []) seen.add(importer);
  }
  return [...features];
}

/**
 * Files that are committed, changed, or new since the branch left what is pushed: its own upstream, or else the main
 * branch of the origin. Without either, since the last commit.
 */
export async function changedFiles(folder = projectFolder): Promise<readonly string[]> {
  const git = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await promisify(execFile)('git', [...args], { cwd: folder });
    return stdout.split('\n').filter((line) => line !== '');
  };
  const since = (pushed: string): Promise<readonly string[]> => git('merge-base', 'HEAD', pushed);
  const [base = 'HEAD'] = await since('@{upstream}')
    .catch(() => since('origin/HEAD'))
    .catch(() => []);
  const changed = await git('diff', '--name-only', '--no-renames', base);
  return [...new Set([...changed, ...(await git('ls-files', '--others', '--exclude-standard'))])].toSorted();
}
