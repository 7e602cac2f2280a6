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

/** The code to gather the surroundings of. */
interface SurroundedCode {
  readonly document: vscode.TextDocument;
  readonly ranges: readonly vscode.Range[];
}

export interface SurroundingsDeps {
  /** Size of the model's context window in tokens, if known. */
  readonly contextWindow: number | undefined;
  /** Called with a bug. What was found by then is still sent. */
  readonly onError: (error: unknown) => void;
}

/**
 * Maximum waits for a language's extension and VS Code's search, in milliseconds. Whatever has arrived by then is sent.
 * An extension that is just starting holds up this process too, so the end might come a few tenths of a second late.
 */
export const surroundingWaitsMs = {
  all: 750,
  /** Leaves time to read the files with definitions. */
  definitions: 600,
  /** The text itself says nearly as much about the enclosing code. */
  symbols: 450,
} as const;
/** Each takes two requests to the language's extension. */
const mostNames = 24;
/** In UTF-16 units. Longer files are generated, and would take a while to read. */
const longestFile = 500_000;

/**
 * The code around a piece of code, and what it uses, within a budget. Other files are only read if they belong to a
 * trusted folder and aren't ignored; nothing is read from files that might contain secrets. Never rejects, and never
 * takes longer than about a second.
 */
export async function gatherSurroundings(
  { document, ranges }: SurroundedCode,
  { contextWindow, onError }: SurroundingsDeps,
): Promise<readonly SurroundingPiece[]> {
  if (ranges.length === 0) return [];
  const code = new CodeAround(document, ranges);
  const gather = async () => {
    if (await isSecretFile(document.uri)) return;
    code.imports();
    await Promise.all([code.enclosing(), code.used()]);
  };
  try {
    await within(gather(), surroundingWaitsMs.all);
  } catch (error) {
    // Code without its surroundings is still worth sending.
    onError(error);
  }
  return chosenPieces(code.pieces(), surroundingBudget(contextWindow));
}

/** The file as it was at the start, because the user continues typing. */
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

  /** What has been found so far, in an order that doesn't depend on which was fastest. */
  pieces(): readonly SurroundingPiece[] {
    return this.#found.toSorted((one, other) => one.place - other.place).map(({ piece }) => piece);
  }

  imports(): void {
    const { languageId: language } = this.#document;
    const names = new Set(this.#selected().flatMap(({ text }) => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []));
    const imports = importLines(this.#text, language, (name) => names.has(name));
    if (imports !== undefined && !this.#isSelected(imports.from, imports.to)) this.#add('imports', imports, 0);
  }

  /** The heads of the enclosing declarations, outermost first. */
  async enclosing(): Promise<void> {
    const line = this.#ranges[0]?.start.line ?? 0;
    const symbols = (await within(symbolsOf(this.#document.uri), surroundingWaitsMs.symbols)) ?? [];
    const heads =
      symbols.length > 0
        ? around(symbols, this.#ranges[0] ?? new vscode.Range(0, 0, 0, 0))
        : enclosingLines(this.#text, line, this.#document.languageId);
    for (const [place, from] of heads.entries()) {
      if (this.#isSelected(from, from + 1)) continue;
      this.#add('enclosing', declarationOutline(this.#lines, { from }, this.#document.languageId, 'head'), place);
    }
  }

  /** The declarations of the names that the code uses. */
  async used(): Promise<void> {
    const { uri, languageId: language } = this.#document;
    const code = maskedCode(this.#text, language).split('\n');
    const perRange = this.#selected().flatMap(({ text, start }) =>
      usedNames(text, language, mostNames).map(({ name, offset }) => ({ name, offset: start + offset })),
    );
    const names = perRange.filter(({ name }, index) => perRange.findIndex((each) => each.name === name) === index);
    const lookUp = async ({ name, offset }: { readonly name: string; readonly offset: number }, place: number) => {
      const asked = declaredAt(uri, this.#document.positionAt(offset));
      const declared = (await within(asked, surroundingWaitsMs.definitions)) ?? [];
      // VS Code doesn't know it, or not in time. It might still be declared in the same file.
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
    const document = await opened(declared.uri);
    const text = document?.getText() ?? '';
    if (document === undefined || text.length > longestFile) return;
    const lines = text.replaceAll('\r\n', '\n').split('\n');
    this.#add('used', declarationOutline(lines, declared, document.languageId, 'members'), place, document);
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

/** Undefined if it isn't text, or is gone. */
async function opened(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

/** Doesn't reveal this computer's folders: outside of the open ones, only the name. */
function shortPath(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri) === undefined ? nameOf(uri) : pathOf(uri);
}

/** The first lines of symbols that contain the range and more, outermost first. */
function around(symbols: readonly vscode.DocumentSymbol[], range: vscode.Range): readonly number[] {
  const outer = symbols.find((each) => each.range.contains(range) && each.range.start.line < range.start.line);
  return outer === undefined ? [] : [outer.range.start.line, ...around(outer.children, range)];
}
