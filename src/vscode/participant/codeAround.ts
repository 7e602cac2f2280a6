import * as vscode from 'vscode';
import { pieceHeading } from '../../core/prompts/surroundings/surroundingPieces.ts';
import { exampleStart, testSetupText } from '../../core/prompts/surroundings/testSetupText.ts';
import { diagnosticLines, diagnosticsIn } from '../attachments/surroundings/diagnosticLines.ts';
import { gatherSurroundings, type SurroundingsDeps } from '../attachments/surroundings/gatherSurroundings.ts';
import { type FoundTestSetup, gatherTestSetup } from '../attachments/surroundings/gatherTestSetup.ts';
import { beforeProblems, isCodeCommand } from './participantPrompt.ts';
import type { AttachedCode } from './readReference.ts';

/** A whole file can have thousands. */
const mostProblems = 100;

/**
 * The code around the first piece of code that a question is about, as prompts send it: always for a part of a file,
 * and for a whole file if a command is about code. With how the project is tested for `/tests`, and with the problems of the
 * code for `/fix`. A question about several pieces needs none.
 */
export async function codeAround(
  code: readonly AttachedCode[],
  command: string | undefined,
  deps: SurroundingsDeps,
): Promise<readonly AttachedCode[]> {
  const { contextWindow } = deps;
  const [only] = code.filter(({ location }) => location !== undefined);
  if (only?.location === undefined || code.length > 1) return [];
  const { uri, range } = only.location;
  const document = await vscode.workspace.openTextDocument(uri);
  // Only the start of a very long file is sent, but the question is about all of it.
  const isWhole = only.isCut === true || document.getText(range).length === document.getText().length;
  if (isWhole && !isCodeCommand(command ?? '')) return [];
  const [pieces, tests] = await Promise.all([
    gatherSurroundings({ document, ranges: [range] }, deps),
    command === 'tests' ? gatherTestSetup(document, deps) : undefined,
  ]);
  return [
    ...(tests === undefined
      ? []
      : remark(testSetupText(tests.setup, contextWindow), examplePlace(tests, contextWindow))),
    ...(command === 'fix' ? remark(problemsText(document, range)) : []),
    ...pieces.map((piece) => ({
      name: pieceHeading(piece),
      language: piece.language,
      text: piece.text,
      isReference: true,
      location: new vscode.Location(vscode.Uri.parse(piece.uri), wholeLines(piece.from, piece.to)),
    })),
  ];
}

/** What isn't code itself. @param location of code that it quotes, to list it among the references */
function remark(text: string, location?: vscode.Location): readonly AttachedCode[] {
  return text === '' ? [] : [{ name: text, language: '', text: '', isReference: true, ...(location && { location }) }];
}

function examplePlace(
  { setup: { example }, exampleUri }: FoundTestSetup,
  contextWindow: number | undefined,
): vscode.Location | undefined {
  if (example === undefined || exampleUri === undefined) return undefined;
  const { text } = exampleStart(example, contextWindow);
  return new vscode.Location(exampleUri, wholeLines(0, text.split('\n').length));
}

/** Lines counted from 0; `to` is after the last. Up to its end, however long that line is. */
function wholeLines(from: number, to: number): vscode.Range {
  return new vscode.Range(from, 0, to - 1, Number.MAX_SAFE_INTEGER);
}

function problemsText(document: vscode.TextDocument, range: vscode.Range): string {
  const problems = diagnosticsIn({ document, ranges: [range] }).slice(0, mostProblems);
  return problems.length === 0 ? '' : [beforeProblems, ...diagnosticLines(document, problems)].join('\n');
}
