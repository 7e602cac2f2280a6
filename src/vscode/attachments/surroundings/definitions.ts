import * as vscode from 'vscode';

/** Where something is declared: the whole declaration if known, otherwise the line with its name. */
export interface Declared {
  readonly uri: vscode.Uri;
  /** Counted from 0. */
  readonly from: number;
  /** After its last line; undefined if only the line with its name is known. */
  readonly to: number | undefined;
}

const questions = ['vscode.executeDefinitionProvider', 'vscode.executeTypeDefinitionProvider'] as const;

/** Where the name at this position, and its type, are declared, according to the extensions for its language. */
export async function declaredAt(uri: vscode.Uri, at: vscode.Position): Promise<readonly Declared[]> {
  const answers = await Promise.all(questions.map((command) => asked(command, uri, at)));
  return answers.flat().flatMap(declaredIn);
}

/** The symbols of a document, according to the extensions for its language; empty without any. */
export async function symbolsOf(uri: vscode.Uri): Promise<readonly vscode.DocumentSymbol[]> {
  const symbols = await asked('vscode.executeDocumentSymbolProvider', uri);
  return symbols.filter((symbol) => symbol instanceof vscode.DocumentSymbol);
}

async function asked(command: string, ...given: readonly unknown[]): Promise<readonly unknown[]> {
  try {
    const answer: unknown = await vscode.commands.executeCommand(command, ...given);
    return Array.isArray(answer) ? answer : [];
  } catch {
    // A language without an extension, or with one that fails.
    return [];
  }
}

function declaredIn(found: unknown): readonly Declared[] {
  if (found instanceof vscode.Location) return [{ uri: found.uri, ...linesIn(found.range) }];
  if (typeof found !== 'object' || found === null || !('targetUri' in found) || !('targetRange' in found)) return [];
  const { targetUri, targetRange } = found;
  if (!(targetUri instanceof vscode.Uri) || !(targetRange instanceof vscode.Range)) return [];
  return [{ uri: targetUri, ...linesIn(targetRange) }];
}

/** A range within one line is the range of the name. */
function linesIn({ start, end, isSingleLine }: vscode.Range): Pick<Declared, 'from' | 'to'> {
  return { from: start.line, to: isSingleLine ? undefined : end.line + (end.character === 0 ? 0 : 1) };
}
