import * as vscode from 'vscode';
import { pieceHeading } from '../../core/prompts/surroundings/surroundingPieces.ts';
import { testSetupText } from '../../core/prompts/surroundings/testSetupText.ts';
import { diagnosticLines, diagnosticsIn } from '../attachments/surroundings/diagnosticLines.ts';
import { gatherSurroundings } from '../attachments/surroundings/gatherSurroundings.ts';
import { gatherTestSetup } from '../attachments/surroundings/gatherTestSetup.ts';
import { beforeProblems, isCodeCommand } from './participantPrompt.ts';
import type { AttachedCode } from './readReference.ts';

/** A whole file can have thousands. */
const mostProblems = 100;

/**
 * The code around the first piece of code that a question is about, as prompts send it: always for a part of a file,
 * and for a whole file if a command is about code. With how the project is tested for `/tests`, and with the problems of the
 * code for `/fix`. A question about several pieces needs none.
 * @param contextWindow of the model, in tokens, if known
 */
export async function codeAround(
  code: readonly AttachedCode[],
  command: string | undefined,
  contextWindow: number | undefined,
): Promise<readonly AttachedCode[]> {
  const [only] = code.filter(({ location }) => location !== undefined);
  if (only?.location === undefined || code.length > 1) return [];
  const { uri, range } = only.location;
  const document = await vscode.workspace.openTextDocument(uri);
  const isWhole = document.getText(range).length === document.getText().length;
  if (isWhole && !isCodeCommand(command ?? '')) return [];
  const [pieces, tests] = await Promise.all([
    gatherSurroundings({ document, ranges: [range] }, contextWindow),
    command === 'tests' ? gatherTestSetup(document) : undefined,
  ]);
  return [
    ...(tests === undefined ? [] : remark(testSetupText(tests.setup, contextWindow), tests.exampleUri)),
    ...(command === 'fix' ? remark(problemsText(document, range)) : []),
    ...pieces.map((piece) => ({
      name: pieceHeading(piece),
      language: piece.language,
      text: piece.text,
      isReference: true,
      location: new vscode.Location(vscode.Uri.parse(piece.uri), new vscode.Range(piece.from, 0, piece.to - 1, 0)),
    })),
  ];
}

/** What isn't code itself. @param uri of a file that it quotes, to list it among the references */
function remark(text: string, uri?: vscode.Uri): readonly AttachedCode[] {
  if (text === '') return [];
  const location = uri && new vscode.Location(uri, new vscode.Position(0, 0));
  return [{ name: text, language: '', text: '', isReference: true, ...(location && { location }) }];
}

function problemsText(document: vscode.TextDocument, range: vscode.Range): string {
  const problems = diagnosticsIn({ document, ranges: [range] }).slice(0, mostProblems);
  return problems.length === 0 ? '' : [beforeProblems, ...diagnosticLines(document, problems)].join('\n');
}
