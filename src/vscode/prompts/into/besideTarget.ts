import type { ModelRef } from '../../../shared/modelRef.ts';
import * as vscode from 'vscode';
import type { ChatRequest } from '../../../api/operations/chatCompletion.ts';
import { problemOfDisturbedText, problemOfRefusedEdit } from '../../../core/problems/promptProblems.ts';
import { confirmHidden } from '../../platform/confirmHidden.ts';
import { OpenedFiles, singleSpaced } from '../../platform/documents/openedFiles.ts';
import { inert, openModelText } from '../../platform/documents/openModelText.ts';
import type { ReplyLenses, SentPrompt } from './replyLenses.ts';
import type { ReplyTarget, ReplyTargetDeps } from './replyTarget.ts';
import { type FlowEnd, TextFlow } from './textFlow.ts';

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
  let reply = '';
  let flow = flowInto(document);
  const opened = new OpenedFiles();
  const listening = vscode.Disposable.from(
    opened,
    vscode.workspace.onDidCloseTextDocument((closed) => {
      // A change of its language is reported as closing, too.
      if (closed === flow.document && closed.isClosed && !continuesInSaved()) deps.stop();
    }),
  );
  return {
    write: (text) => {
      reply = text;
      flow.write(text);
    },
    finish: async (end) => {
      reply = end.text;
      const result = await finished();
      lenses.ended(document, model, end, deps);
      // A user who closes the document has had enough.
      if (flow.document.isClosed) return;
      if (result === 'disturbed') deps.explain(problemOfDisturbedText(), end.text);
      if (result === 'refused') deps.explain(problemOfRefusedEdit(flow.document.fileName), end.text);
    },
    dispose: () => {
      listening.dispose();
      flow.dispose();
    },
  };

  function flowInto(into: vscode.TextDocument, written = ''): TextFlow {
    return new TextFlow({
      document: into,
      at: new vscode.Position(0, 0),
      written,
      shape: (answer) => answer,
      confirm: confirmHidden,
      // A link that runs a command might arrive at any time.
      prepare: async (text) => void (await inert(into, { text })),
      onBroken: () => {
        if (flow.document === into && !continuesInSaved()) deps.stop();
      },
    });
  }

  /**
   * Continues in the file that the untitled document was saved as, unless the user has added some text: then the reply
   * ends.
   */
  function continuesInSaved(): boolean {
    if (!flow.document.isUntitled) return false;
    const saved = opened.find((words) => singleSpaced(reply).startsWith(words));
    if (saved === undefined) return false;
    flow.dispose();
    flow = flowInto(saved, saved.getText());
    flow.write(reply);
    return true;
  }

  async function finished(): Promise<FlowEnd> {
    const last = flow;
    const end = await last.finish(reply);
    // It was saved in the meantime.
    return flow === last ? end : finished();
  }
}
