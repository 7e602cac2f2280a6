import * as vscode from 'vscode';
import { changedPart } from '../../../core/prompts/lineMerge.ts';

export function documentPlace(document: vscode.TextDocument, from: number, to: number): vscode.Range {
  return new vscode.Range(document.positionAt(from), document.positionAt(to));
}

/**
 * The smallest edit that turns a part of a document into another text; undefined if they're the same.
 * @param from offset of the part in the document
 * @param present the current part, with `\n` no matter what the document's line breaks are
 */
export function documentSpan(
  document: vscode.TextDocument,
  from: number,
  present: string,
  next: string,
): readonly { readonly range: vscode.Range; readonly text: string }[] {
  if (present === next) return [];
  const start = document.positionAt(from);
  const part = changedPart(present, next);
  const at = (offset: number): vscode.Position => {
    const lines = present.slice(0, offset).split('\n');
    const column = lines.at(-1)?.length ?? 0;
    return lines.length === 1 ? start.translate(0, column) : new vscode.Position(start.line + lines.length - 1, column);
  };
  return [{ range: new vscode.Range(at(part.from), at(part.to)), text: part.text }];
}
