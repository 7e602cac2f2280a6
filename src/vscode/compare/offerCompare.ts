import * as vscode from 'vscode';
import type { Chat } from '../chat/registerChat.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import { DisposableList } from '../platform/disposables.ts';
import { lazy } from '../platform/lazy.ts';
import type { FlushedAtEnd, Offering } from '../platform/offering.ts';
import { commandsOf, panelTypes } from '../settings/contributions.ts';
import type { CompareDeps } from './registerCompare.ts';

type PromptParts = Pick<CompareDeps, 'prompts' | 'propose'>;
type CompareServices = Omit<
  CompareDeps,
  'documents' | 'replies' | 'continueInChat' | 'experiments' | keyof PromptParts
> &
  FlushedAtEnd & {
    readonly experiments: () => Promise<Experiments>;
  };

/** Comparisons of models, in editor tabs. @param chat shares its composer and attachments */
export function offerCompare(
  { commands, services }: Offering<CompareServices>,
  chat: () => Promise<Pick<Chat, 'attachments' | 'replies' | 'continueInChat'>>,
  prompts: PromptParts,
): vscode.Disposable {
  const own = new DisposableList();
  const compare = lazy(async () => {
    const [{ registerCompare }, shared, { attachments, replies, continueInChat }] = await Promise.all([
      import('./registerCompare.ts'),
      services(),
      chat(),
    ]);
    const { documents } = attachments;
    const experiments = await shared.experiments();
    const opened = own.add(registerCompare({ ...shared, ...prompts, documents, replies, continueInChat, experiments }));
    shared.atEnd(opened.flush);
    return opened;
  });
  own.add(
    vscode.window.registerWebviewPanelSerializer(panelTypes.compare, {
      deserializeWebviewPanel: async (panel, state) => (await compare()).editors.deserializeWebviewPanel(panel, state),
    }),
  );
  commands.take(Object.values(commandsOf.compare), compare);
  return own;
}
