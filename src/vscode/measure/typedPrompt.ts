import * as vscode from 'vscode';
import {
  aroundIn,
  fenceFor,
  fillTemplate,
  type PromptVariable,
  templateSlots,
  withoutEmptyAround,
} from '../../core/prompts/promptTemplate.ts';
import { askInputs } from '../prompts/run/promptValues.ts';
import { plainWindow } from '../platform/plainWindow.ts';

/**
 * The text of a template, with the text that the user enters for its variables. Nothing is taken from an editor, so
 * that a measurement can be repeated. Undefined if the user cancels.
 */
export async function typedPrompt(template: string, title: string): Promise<string | undefined> {
  const inputs = await askInputs(template, title);
  if (inputs === undefined) return undefined;
  const typed = new Map<PromptVariable, string>();
  for (const slot of templateSlots(template)) {
    if (slot.kind !== 'variable' || slot.name === 'fence' || typed.has(slot.name)) continue;
    const text = await plainWindow.showInputBox({
      title,
      prompt: vscode.l10n.t('Enter the text for "{0}". Each request sends the same.', slot.name),
      ignoreFocusOut: true,
    });
    if (text === undefined) return undefined;
    typed.set(slot.name, text);
  }
  const around = new Map(aroundIn(template).map((name) => [name, typed.get(name) ?? '']));
  return fillTemplate(withoutEmptyAround(template, around), (slot) => {
    if (slot.kind === 'input') return inputs.get(slot.name);
    if (slot.kind === 'unknown') return undefined;
    return slot.name === 'fence' ? fenceFor(typed.get('selection') ?? '') : typed.get(slot.name);
  });
}
