import * as vscode from 'vscode';
import { declarationLine, enclosingLines } from '../../../core/prompts/surroundings/declarationsInText.ts';
import { declarationOutline, type OutlineLines } from '../../../core/prompts/surroundings/declarationOutline.ts';
import { importLines } from '../../../core/prompts/surroundings/importLines.ts';
import { maskedCode } from '../../../core/prompts/surroundings/maskedCode.ts';
import {
  chosenPieces,
  surroundingBudget,
  type SurroundingKind,
  type SurroundingPiece,
} from '../../../core/prompts/surroundings/surroundingPieces.ts';
import { usedNames } from '../../../core/prompts/surroundings/usedNames.ts';
import { within } from '../../platform/within.ts';
import { isSecretFile } from '../secretFile.ts';
import { nameOf, pathOf } from '../sources/documentContext.ts';
import { type Declared, declaredAt, symbolsOf } from './definitions.ts';
import { SendableFiles } from './sendableFiles.ts';

/** The code that surroundings are wanted of. */
interface SurroundedCode {
  readonly document: vscode.TextDocument;
  readonly ranges: readonly vscode.Range[];
}

/** Sending waits no longer than this for a language's extension; what has come by then is sent. */
const waitMs = 900;
/** Leaves time to read the files that definitions are in. */
const definitionsMs = 700;
/** The text tells much the same of what the code is in. */
const symbolsMs = 500;
/** Each is two questions to the language's extension. */
const mostNames = 24;
/** Longer files are generated, and would take time of their own to read. In UTF-16 units. */
const longestFile = 500_000;

/**
 * What is around code, and what it uses: pieces that fit into a budget. Of other files only those are read that belong
 * to a trusted folder and are neither ignored nor might hold secrets; of a file that might hold some, nothing. Never
 * rejects, and never takes longer than about a second.
 *
 * @param contextWindow of the model, in tokens, where it's known
 */
export async function gatherSurroundings(
  { document, ranges }: SurroundedCode,
  contextWindow?: number,
): Promise<readonly SurroundingPiece[]> {
  if (ranges.length === 0) return [];
  const code = new CodeAround(document, ranges);
  const gather = async () => {
    if (await isSecretFile(document.uri)) return;
    code.imports();
    await Promise.all([code.enclosing(), code.used()]);
  };
  try {
    await within(gather(), waitMs);
  } catch {
    // Code without its surroundings is still worth sending.
  }
  return chosenPieces(code.pieces(), surroundingBudget(contextWindow));
}

/** The file as it was when it was asked about: a person goes on typing. */
class CodeAround {
  readonly #document: vscode.TextDocument;
  readonly #ranges: readonly vscode.Range[];
  readonly #files = new SendableFiles();
  readonly #found: { readonly piece: SurroundingPiece; readonly place: number }[] = [];
  readonly #text: string;
  readonly #lines: readonly string[];

  constructor(document: vscode.TextDocument, ranges: readonly vscode.Range[]) {
    this.#document = document;
    this.#ranges = ranges;
    const text = document.getText();
    this.#text = text.length > longestFile ? '' : text.replaceAll('\r\n', '\n');
    this.#lines = this.#text.split('\n');
  }

  /** What has been found by now, in the same order however fast each was. */
  pieces(): readonly SurroundingPiece[] {
    return this.#found.toSorted((one, other) => one.place - other.place).map(({ piece }) => piece);
  }

  imports(): void {
    const { languageId: language } = this.#document;
    const names = new Set(this.#selected().flatMap(({ text }) => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []));
    const imports = importLines(this.#text, language, (name) => names.has(name));
    if (imports !== undefined && !this.#isSelected(imports.from, imports.to)) this.#add('imports', imports, 0);
  }

  /** The heads of what the code is in, outermost first. */
  async enclosing(): Promise<void> {
    const line = this.#ranges[0]?.start.line ?? 0;
    const symbols = (await within(symbolsOf(this.#document.uri), symbolsMs)) ?? [];
    const heads =
      symbols.length > 0
        ? around(symbols, this.#ranges[0] ?? new vscode.Range(0, 0, 0, 0))
        : enclosingLines(this.#text, line, this.#document.languageId);
    for (const [place, from] of heads.entries()) {
      if (this.#isSelected(from, from + 1)) continue;
      this.#add('enclosing', declarationOutline(this.#lines, { from }, this.#document.languageId, 'head'), place);
    }
  }

  /** What the names of the code stand for. */
  async used(): Promise<void> {
    const { uri, languageId: language } = this.#document;
    const code = maskedCode(this.#text, language).split('\n');
    const perRange = this.#selected().flatMap(({ text, start }) =>
      usedNames(text, language, mostNames).map(({ name, offset }) => ({ name, offset: start + offset })),
    );
    const names = perRange.filter(({ name }, index) => perRange.findIndex((each) => each.name === name) === index);
    const lookUp = async ({ name, offset }: { readonly name: string; readonly offset: number }, place: number) => {
      const asked = declaredAt(uri, this.#document.positionAt(offset));
      const declared = (await within(asked, definitionsMs)) ?? [];
      // VS Code knows nothing of it, or not in time: then it might still be declared in the same file.
      const from = declared.length > 0 ? undefined : declarationLine(code, name);
      await this.#use(from === undefined ? declared : [{ uri, from, to: undefined }], place);
    };
    await Promise.all(names.slice(0, mostNames).map(lookUp));
  }

  async #use(declared: readonly Declared[], place: number): Promise<void> {
    for (const each of declared) {
      if (each.uri.toString() === this.#document.uri.toString()) {
        const outline = declarationOutline(this.#lines, each, this.#document.languageId, 'members');
        if (!this.#isSelected(each.from, each.from + 1)) this.#add('used', outline, place);
      } else if (await this.#files.has(each.uri)) await this.#useOther(each, place);
    }
  }

  async #useOther(declared: Declared, place: number): Promise<void> {
    try {
      const document = await vscode.workspace.openTextDocument(declared.uri);
      const text = document.getText();
      if (text.length > longestFile) return;
      const lines = text.replaceAll('\r\n', '\n').split('\n');
      const outline = declarationOutline(lines, declared, document.languageId, 'members');
      this.#add('used', outline, place, document);
    } catch {
      // Not a text, or gone.
    }
  }

  #add(
    kind: SurroundingKind,
    lines: OutlineLines,
    place: number,
    { uri, languageId: language } = this.#document,
  ): void {
    this.#found.push({ place, piece: { kind, uri: uri.toString(), path: shortPath(uri), language, ...lines } });
  }

  #isSelected(from: number, to: number): boolean {
    return this.#ranges.some(({ start, end }) => from >= start.line && to <= end.line + 1);
  }

  #selected(): readonly { readonly text: string; readonly start: number }[] {
    return this.#ranges.map((range) => ({
      text: this.#document.getText(range),
      start: this.#document.offsetAt(range.start),
    }));
  }
}

/** Where the folders of this computer aren't told: outside of those that are open, the name alone. */
function shortPath(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri) === undefined ? nameOf(uri) : pathOf(uri);
}

/** The lines on which symbols begin that hold the range and more, outermost first. */
function around(symbols: readonly vscode.DocumentSymbol[], range: vscode.Range): readonly number[] {
  const outer = symbols.find((each) => each.range.contains(range) && each.range.start.line < range.start.line);
  return outer === undefined ? [] : [outer.range.start.line, ...around(outer.children, range)];
}
