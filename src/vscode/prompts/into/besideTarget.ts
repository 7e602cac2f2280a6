import type { ModelRef } from '../../../shared/modelRef.ts';
import * as vscode from 'vscode';
import type { ChatRequest } from '../../../api/operations/chatCompletion.ts';
import { problemOfDisturbedText, problemOfRefusedEdit } from '../../../core/problems/promptProblems.ts';
import { confirmHidden } from '../../platform/confirmHidden.ts';
import { inert, openModelText } from '../../platform/documents/openModelText.ts';
import type { ReplyLenses, SentPrompt } from './replyLenses.ts';
import type { ReplyTarget, ReplyTargetDeps } from './replyTarget.ts';
import { TextFlow } from './textFlow.ts';

/**
 * Opens an untitled Markdown document beside the editor and writes the reply there. The focus stays where it is.
 *
 * @param deps.sent the messages that it answers
 */
export async function besideTarget(
  model: ModelRef,
  lenses: ReplyLenses,
  deps: Pick<ReplyTargetDeps, 'stop' | 'explain'> & {
    readonly sent: ChatRequest['messages'];
    readonly prompt?: SentPrompt | undefined;
    /** The file for the tests in the reply, if it was asked for tests and that's known. */
    readonly testUri?: vscode.Uri | undefined;
  },
): Promise<ReplyTarget> {
  const document = await openModelText('', 'markdown');
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: false,
  });
  lenses.started(document, model);
  const flow = new TextFlow({
    document,
    at: new vscode.Position(0, 0),
    shape: (answer) => answer,
    confirm: confirmHidden,
    // A link that runs a command might arrive at any time.
    prepare: async (text) => void (await inert(document, { text })),
    onBroken: deps.stop,
  });
  const closing = vscode.workspace.onDidCloseTextDocument((closed) => {
    // A change of its language is reported as closing, too.
    if (closed === document && document.isClosed) deps.stop();
  });
  return {
    write: (text) => flow.write(text),
    finish: async (end) => {
      const result = await flow.finish(end.text);
      lenses.ended(document, model, end, deps);
      // A user who closes the document has had enough.
      if (document.isClosed) return;
      if (result === 'disturbed') deps.explain(problemOfDisturbedText(), end.text);
      if (result === 'refused') deps.explain(problemOfRefusedEdit(document.fileName), end.text);
    },
    dispose: () => {
      closing.dispose();
      flow.dispose();
    },
  };
}
