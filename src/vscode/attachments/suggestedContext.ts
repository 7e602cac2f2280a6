import type * as vscode from 'vscode';
import type { SuggestedContext } from '../../shared/attachment.ts';
import { estimatedTokens } from '../../words/tokens.ts';
import { documentSchemes } from '../settings/contributions.ts';
import type { Taken } from './contextSnapshot.ts';
import { maySend } from './secretFile.ts';
import { nameOf, pathOf, selectionContext } from './sources/documentContext.ts';
import { fileContext } from './sources/fileContext.ts';

/** What the user is looking at, and how to add it. Nothing is read from disk or sent until it's added. */
export interface OfferedContext extends SuggestedContext {
  readonly take: () => Promise<Taken>;
}

const ownSchemes: readonly string[] = Object.values(documentSchemes);

/** The selection of this editor, otherwise its file. Not for our own documents, for example a reply. */
export function suggestedContext(editor: vscode.TextEditor | undefined): OfferedContext | undefined {
  if (editor === undefined || ownSchemes.includes(editor.document.uri.scheme)) return undefined;
  const { document } = editor;
  const { uri } = document;
  const selection = selectionContext(editor);
  if (selection !== undefined) {
    const { name, detail, block } = selection;
    const take = async (): Promise<Taken> => ((await maySend(uri)) ? selection : undefined);
    return { kind: 'selection', name, detail, tokens: estimatedTokens(block.length), take };
  }
  // Cheaper than the text, which can be long, and the cursor moves often.
  const length = document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
  if (length === 0) return undefined;
  return {
    kind: 'file',
    name: nameOf(uri),
    detail: pathOf(uri),
    tokens: estimatedTokens(length),
    take: () => fileContext(uri),
  };
}
