/** Pieces of the editor and the workspace that a prompt can send whole, like a message's chips. */
export const contextVariables = [
  'fileContent',
  'symbol',
  'openEditors',
  'folderTree',
  'problems',
  'terminalSelection',
  'gitStaged',
  'gitWorking',
] as const;

export type ContextVariable = (typeof contextVariables)[number];

/** The code around the selection. If there's none, or the user turned it off, it's left out together with its line. */
const aroundVariables = ['surroundingCode', 'testSetup'] as const;

export type AroundVariable = (typeof aroundVariables)[number];

/** The variables of prompts, which are filled in when a prompt runs. */
export const promptVariables = [
  'selection',
  'selectedText',
  'file',
  'relativeFile',
  'fileBasename',
  'fileBasenameNoExtension',
  'fileDirname',
  'languageId',
  'workspaceFolder',
  'workspaceFolderBasename',
  'diagnostics',
  'clipboard',
  'fence',
  ...aroundVariables,
  ...contextVariables,
] as const;

export type PromptVariable = (typeof promptVariables)[number];

/** A variable in a template. Offsets are UTF-16 units, `to` is after the closing brace. */
export type TemplateSlot =
  | { readonly kind: 'variable'; readonly name: PromptVariable; readonly from: number; readonly to: number }
  /** The user is asked for it; `hint` is empty without one. */
  | {
      readonly kind: 'input';
      readonly name: string;
      readonly hint: string;
      readonly from: number;
      readonly to: number;
    }
  /** Looks like a variable but isn't one. Sent unchanged, because code often contains these. */
  | { readonly kind: 'unknown'; readonly name: string; readonly from: number; readonly to: number };

// Bounded, so that a text full of openings takes linear time.
const slot = /\$\{(?:input:([\w-]{1,64})(?::([^}\n]{0,256}))?|(\w{1,64}))\}/g;

/** Each prompt is asked for its variables several times, and with checks for each of a thousand cases. */
let latest: { readonly template: string; readonly slots: readonly TemplateSlot[] } = { template: '', slots: [] };

/** The variables of a template, in order. */
export function templateSlots(template: string): readonly TemplateSlot[] {
  if (template !== latest.template) latest = { template, slots: slotsIn(template) };
  return latest.slots;
}

function slotsIn(template: string): readonly TemplateSlot[] {
  return Array.from(template.matchAll(slot), (match): TemplateSlot => {
    const place = { from: match.index, to: match.index + match[0].length };
    const [, input, hint = '', word = ''] = match;
    if (input !== undefined) return { kind: 'input', name: input, hint: hint.trim(), ...place };
    return isVariable(word) ? { kind: 'variable', name: word, ...place } : { kind: 'unknown', name: word, ...place };
  });
}

/**
 * The template with its variables filled in. Everything else stays the same, and values aren't searched for variables:
 * a selection that contains `${clipboard}` stays as it is.
 */
export function fillTemplate(template: string, value: (slot: TemplateSlot) => string | undefined): string {
  let filled = '';
  let end = 0;
  for (const found of templateSlots(template)) {
    const text = value(found);
    if (text === undefined) continue;
    filled += template.slice(end, found.from) + text;
    end = found.to;
  }
  return filled + template.slice(end);
}

/** Whether the template uses the selection. */
export function needsSelection(template: string): boolean {
  return templateSlots(template).some(
    (found) => found.kind === 'variable' && (found.name === 'selection' || found.name === 'selectedText'),
  );
}

/** The pieces that the template sends whole, each once. */
export function contextsIn(template: string): readonly ContextVariable[] {
  const slots = templateSlots(template);
  return contextVariables.filter((name) => slots.some((found) => found.kind === 'variable' && found.name === name));
}

/** Which parts of the surroundings the template sends. */
export function aroundIn(template: string): readonly AroundVariable[] {
  const slots = templateSlots(template);
  return aroundVariables.filter((name) => slots.some((found) => found.kind === 'variable' && found.name === name));
}

/** The template without the variables for missing surroundings, and without the blank line after each. */
export function withoutEmptyAround(template: string, values: ReadonlyMap<AroundVariable, string>): string {
  return aroundIn(template)
    .filter((name) => (values.get(name) ?? '') === '')
    .reduce((text, name) => text.replaceAll(new RegExp(String.raw`\$\{${name}\}(?:\r?\n){0,2}`, 'g'), ''), template);
}

/** Enough backticks for a fence around this text: more than any run in it, so that it can't end the fence. */
export function fenceFor(text: string): string {
  let longest = 2;
  for (const run of text.matchAll(/`+/g)) longest = Math.max(longest, run[0].length);
  return '`'.repeat(longest + 1);
}

function isVariable(name: string): name is PromptVariable {
  return promptVariables.some((known) => known === name);
}
