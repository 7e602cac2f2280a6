import * as vscode from 'vscode';
import { commandIds } from '../../settings/contributions.ts';
import type { ShownChange } from './proposalSession.ts';

/** Beside each change of a proposal its number, and in its hover the two things to do with it. */
export class ChangeMarks implements vscode.Disposable {
  /** Where the hover is; it has no look of its own. */
  readonly #places = vscode.window.createTextEditorDecorationType({});
  readonly #numbers = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 3em', fontStyle: 'italic' },
  });

  draw(editor: vscode.TextEditor, changes: readonly ShownChange[]): void {
    const last = editor.document.lineCount - 1;
    editor.setDecorations(
      this.#places,
      changes.map((change, index): vscode.DecorationOptions => {
        const line = Math.min(change.proposedFrom, last);
        const to = Math.min(Math.max(line, change.proposedTo - 1), last);
        return {
          range: new vscode.Range(line, 0, to, editor.document.lineAt(to).text.length),
          hoverMessage: hover(editor.document.uri, index, changes.length),
        };
      }),
    );
    editor.setDecorations(
      this.#numbers,
      changes.map((change, index): vscode.DecorationOptions => {
        const line = Math.min(change.proposedFrom, last);
        const end = editor.document.lineAt(line).range.end;
        return {
          range: new vscode.Range(end, end),
          renderOptions: { after: { contentText: vscode.l10n.t('change {0} of {1}', index + 1, changes.length) } },
        };
      }),
    );
  }

  dispose(): void {
    this.#places.dispose();
    this.#numbers.dispose();
  }
}

function hover(uri: vscode.Uri, index: number, count: number): vscode.MarkdownString {
  const command = (id: string) => `command:${id}?${encodeURIComponent(JSON.stringify([uri.toJSON(), index]))}`;
  const accept = `[$(check) ${vscode.l10n.t('Accept Change')}](${command(commandIds.acceptChange)})`;
  const reject = `[$(discard) ${vscode.l10n.t('Reject Change')}](${command(commandIds.rejectChange)})`;
  const text = new vscode.MarkdownString(
    `${vscode.l10n.t('Change {0} of {1}', index + 1, count)} \u00A0 ${accept} \u00A0 ${reject}`,
    true,
  );
  text.isTrusted = { enabledCommands: [commandIds.acceptChange, commandIds.rejectChange] };
  return text;
}
