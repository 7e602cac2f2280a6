import * as vscode from 'vscode';
import { pieceHeading } from '../../core/prompts/surroundings/surroundingPieces.ts';
import { testSetupText } from '../../core/prompts/surroundings/testSetupText.ts';
import { gatherSurroundings } from '../attachments/surroundings/gatherSurroundings.ts';
import { gatherTestSetup } from '../attachments/surroundings/gatherTestSetup.ts';
import { isCodeCommand } from './participantPrompt.ts';
import type { AttachedCode } from './readReference.ts';

/**
 * The code around the first piece of code that a question is about, as prompts send it: always for a part of a file,
 * and for a whole file if a command is about code. A question about several pieces needs none.
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
  const told = tests === undefined ? '' : testSetupText(tests.setup);
  return [
    ...(told === '' ? [] : [{ name: told, language: '', text: '', isReference: true }]),
    ...pieces.map((piece) => ({
      name: pieceHeading(piece),
      language: piece.language,
      text: piece.text,
      isReference: true,
      location: new vscode.Location(vscode.Uri.parse(piece.uri), new vscode.Range(piece.from, 0, piece.to - 1, 0)),
    })),
  ];
}
