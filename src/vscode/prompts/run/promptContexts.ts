import type { ContextVariable } from '../../../core/prompts/promptTemplate.ts';
import type { Problem } from '../../../shared/problem.ts';
import { type ContextSnapshot, isProblem, type Taken } from '../../attachments/contextSnapshot.ts';
import { fileContext } from '../../attachments/sources/fileContext.ts';
import { chosenFolderTree } from '../../attachments/sources/folderTreeContext.ts';
import { gitContext } from '../../attachments/sources/gitContext.ts';
import { openEditorsContext } from '../../attachments/sources/openEditorsContext.ts';
import { problemsContext } from '../../attachments/sources/problemsContext.ts';
import { symbolContext } from '../../attachments/sources/symbolContext.ts';
import { terminalContext } from '../../attachments/sources/terminalContext.ts';
import type { PromptSource } from './promptSource.ts';

/**
 * Reads what a prompt sends whole, in the form of a message's chips.
 * @returns why one of them is missing, because the prompt would make no sense without it; undefined if the user cancels
 */
export async function takeContexts(
  names: readonly ContextVariable[],
  source: PromptSource | undefined,
): Promise<ReadonlyMap<ContextVariable, ContextSnapshot> | Problem | undefined> {
  const contexts = new Map<ContextVariable, ContextSnapshot>();
  for (const name of names) {
    const taken = await take(name, source);
    if (taken === undefined || isProblem(taken)) return taken;
    contexts.set(name, taken);
  }
  return contexts;
}

async function take(name: ContextVariable, source: PromptSource | undefined): Promise<Taken> {
  const uri = source?.document.uri;
  switch (name) {
    case 'fileContent':
      return uri === undefined ? undefined : fileContext(uri);
    case 'symbol':
      return symbolContext(source?.document);
    case 'openEditors':
      return openEditorsContext();
    case 'folderTree':
      return chosenFolderTree(uri);
    case 'problems':
      return problemsContext();
    case 'terminalSelection':
      return terminalContext();
    case 'gitStaged':
      return gitContext(true, uri);
    case 'gitWorking':
      return gitContext(false, uri);
  }
}
