import * as vscode from 'vscode';
import { manifestNames, type ProjectFile, testFramework } from '../../../core/prompts/surroundings/testFramework.ts';
import { nearestTests, testPath, testPatterns } from '../../../core/prompts/surroundings/testPlaces.ts';
import type { TestSetup } from '../../../core/prompts/surroundings/testSetupText.ts';
import { within } from '../../platform/within.ts';
import { pathOf } from '../sources/documentContext.ts';
import { type SurroundingsDeps, surroundingWaitsMs } from './gatherSurroundings.ts';
import { SendableFiles } from './sendableFiles.ts';

const mostFound = 1000;
/** Number of tests that are read to detect the framework. The first real test is the example. */
const mostRead = 6;
/** Larger ones are generated, and would take too long. In bytes. */
const largestFile = 500_000;
const elsewhere = '**/{node_modules,vendor,target,dist,out,.venv}/**';

/** What was found, with the file that the tests belong in, and the file with the example. */
export interface FoundTestSetup {
  readonly setup: TestSetup;
  readonly uri?: vscode.Uri;
  readonly exampleUri?: vscode.Uri;
}

interface ReadFile extends ProjectFile {
  readonly uri: vscode.Uri;
}

/**
 * How the project of a document is tested: its framework, where tests of the document belong, and one of its tests as
 * an example. Only files that can be sent without asking are read, including manifests. Never rejects. After about a
 * second, it returns what is known by then.
 */
export async function gatherTestSetup(
  document: vscode.TextDocument,
  { onError }: Pick<SurroundingsDeps, 'onError'>,
): Promise<FoundTestSetup> {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  if (folder === undefined || !vscode.workspace.isTrusted) return { setup: {} };
  const project = new TestedProject(folder.uri, document);
  try {
    await within(project.look(), surroundingWaitsMs.all);
  } catch (error) {
    // Tests can be written without it.
    onError(error);
  }
  return project.found;
}

class TestedProject {
  readonly #root: vscode.Uri;
  readonly #document: vscode.TextDocument;
  readonly #files = new SendableFiles();
  found: FoundTestSetup = { setup: {} };

  constructor(root: vscode.Uri, document: vscode.TextDocument) {
    this.#root = root;
    this.#document = document;
  }

  async look(): Promise<void> {
    const language = this.#document.languageId;
    // Used if the search for tests takes too long.
    const byManifest = async () => {
      const manifests = await this.#manifests();
      const framework = testFramework(language, [], manifests);
      if (framework !== undefined) this.found = { setup: { framework } };
      return manifests;
    };
    const [tests, manifests] = await Promise.all([this.#tests(), byManifest()]);
    const place = testPath(this.#path(this.#document.uri), tests);
    const uri = place === undefined ? undefined : vscode.Uri.joinPath(this.#root, place);
    const read = await this.#texts(tests.slice(0, mostRead).map((path) => vscode.Uri.joinPath(this.#root, path)));
    const framework = testFramework(language, read, manifests);
    // A test folder also contains other files.
    const example = read.find((each) => testFramework(language, [each], []) !== undefined);
    this.found = {
      setup: {
        ...(framework !== undefined && { framework }),
        ...(uri !== undefined && { path: pathOf(uri) }),
        ...(example !== undefined && { example: { path: example.path, text: example.text, language } }),
      },
      ...(uri !== undefined && { uri }),
      ...(example !== undefined && { exampleUri: example.uri }),
    };
  }

  /** Paths relative to the folder, nearest first. */
  async #tests(): Promise<readonly string[]> {
    const own = this.#path(this.#document.uri);
    const found = await Promise.all(
      testPatterns(own).map((pattern) =>
        vscode.workspace.findFiles(new vscode.RelativePattern(this.#root, pattern), elsewhere, mostFound),
      ),
    );
    const near = nearestTests(own, [...new Set(found.flat().map((uri) => this.#path(uri)))]);
    const few = near.slice(0, mostRead * 2);
    const sendable = await Promise.all(few.map((path) => this.#files.has(vscode.Uri.joinPath(this.#root, path))));
    return few.filter((_path, index) => sendable[index] === true);
  }

  /** The manifests in the document's folder and in each folder above it, nearest first. */
  async #manifests(): Promise<readonly ProjectFile[]> {
    const parts = this.#path(this.#document.uri).split('/').slice(0, -1);
    const folders = parts.map((_part, index) => parts.slice(0, parts.length - index).join('/'));
    const uris = [...folders, ''].flatMap((folder) =>
      manifestNames.map((name) => vscode.Uri.joinPath(this.#root, folder, name)),
    );
    return this.#texts(uris);
  }

  /** Only files that exist and can be sent. */
  async #texts(uris: readonly vscode.Uri[]): Promise<readonly ReadFile[]> {
    const read = await Promise.all(
      uris.map(async (uri): Promise<readonly ReadFile[]> => {
        const bytes = await readSmall(uri);
        if (bytes === undefined || !(await this.#files.has(uri))) return [];
        return [{ uri, path: pathOf(uri), text: new TextDecoder().decode(bytes) }];
      }),
    );
    return read.flat();
  }

  #path(uri: vscode.Uri): string {
    return uri.path.slice(this.#root.path.length).replace(/^\//, '');
  }
}

/** Undefined if there's no such file, or it's too large. */
async function readSmall(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size > largestFile ? undefined : await vscode.workspace.fs.readFile(uri);
  } catch {
    return undefined;
  }
}
