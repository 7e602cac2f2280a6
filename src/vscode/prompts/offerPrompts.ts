import type * as vscode from 'vscode';
import { commandsOf, documentSchemes } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import { registerLateDocuments } from '../platform/documents/lateDocuments.ts';
import { lazy } from '../platform/lazy.ts';
import type { Offering } from '../platform/offering.ts';
import { closeStaleProposals } from './proposal/closeStaleProposals.ts';
import { fixDiagnosticCommand, registerFixAction } from './fixAction.ts';
import { registerPromptFileEditing } from './files/promptFileEditing.ts';
import type { ChatOfPrompts, PromptsDeps, RegisteredPrompts } from './registerPrompts.ts';

export type OfferedPrompts = vscode.Disposable & Pick<RegisteredPrompts, 'menu' | 'propose'>;

/** Prompts about the selection, editor support for prompt files, and the quick fix. */
export function offerPrompts(
  { commands, services }: Offering<Omit<PromptsDeps, keyof ChatOfPrompts>>,
  workspaceState: vscode.Memento,
  chat: ChatOfPrompts,
): OfferedPrompts {
  const own = new DisposableList();
  const prompts: () => Promise<RegisteredPrompts> = lazy(async () => {
    const [{ registerPrompts }, shared] = await Promise.all([import('./registerPrompts.ts'), services()]);
    return own.add(registerPrompts({ ...shared, ...chat }));
  });
  const tell = async (cause: unknown) => (await services()).log.error('Prompts', cause);
  const onUnexpected = (cause: unknown) => void tell(cause);
  commands.take([...Object.values(commandsOf.prompts), fixDiagnosticCommand], prompts);
  own.add(registerLateDocuments(documentSchemes.proposal, async () => (await prompts()).documents));
  own.add(registerPromptFileEditing(onUnexpected));
  own.add(registerFixAction());
  closeStaleProposals(workspaceState).catch(onUnexpected);
  const menu: RegisteredPrompts['menu'] = {
    find: async (typed) => (await prompts()).menu.find(typed),
    run: async (row, into) => (await prompts()).menu.run(row, into),
  };
  return {
    menu,
    propose: async (...given) => (await prompts()).propose(...given),
    dispose: () => own.dispose(),
  };
}
