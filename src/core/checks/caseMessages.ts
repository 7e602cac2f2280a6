import * as l10n from '@vscode/l10n';
import { contextBlock } from '../chat/contextBlock.ts';
import {
  fenceFor,
  fillTemplate,
  type PromptVariable,
  type TemplateSlot,
  templateSlots,
} from '../prompts/promptTemplate.ts';
import { type CheckCase, type CheckMessage, maxFilled } from './checksFile.ts';
import type { Place } from './locatedYaml.ts';
import { filledSlots, tooLong } from './slotsOfValue.ts';

/** What a case reads from files, as text. */
export interface CaseFiles {
  /** The prompt, without its front matter. */
  readonly template?: string;
  /** The content of `file`. */
  readonly file?: string;
  /** VS Code's language ID of the file. */
  readonly language?: string;
}

export type CaseMessages =
  | { readonly messages: readonly CheckMessage[] }
  /** Why it can't be run, and the place in the file of checks to mark, if it isn't the case itself. */
  | { readonly fault: string; readonly at?: Place };

/** The messages of a case. The same case always sends the same ones: nothing depends on the editor or the machine. */
export function caseMessages({ input, vars }: CheckCase, files: CaseFiles): CaseMessages {
  if (input.kind === 'messages') {
    const messages: CheckMessage[] = [];
    let left = maxFilled;
    for (const { role, content } of input.messages) {
      const filled = filledSlots(content, vars, left);
      if ('fault' in filled) return filled;
      left -= filled.value.length;
      messages.push({ role, content: filled.value });
    }
    return { messages };
  }
  if (input.template !== undefined) return templateMessages(input.template, vars);
  const { template = '' } = files;
  const values: Readonly<Record<string, string>> = { ...derived(input, files), ...vars };
  const valueOf = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  const missing = templateSlots(template).find(
    (slot) => slot.kind !== 'unknown' && slot.name !== 'fence' && valueOf(slot.name) === undefined,
  );
  if (missing !== undefined) {
    const { name } = missing;
    return { fault: l10n.t('The prompt needs "{0}". Add it to the case, or below its "vars:".', name) };
  }
  const fence = fenceFor(valueOf('selection') ?? '');
  const textOf = (slot: TemplateSlot) =>
    slot.kind === 'unknown' ? undefined : slot.name === 'fence' ? fence : valueOf(slot.name);
  const length = templateSlots(template).reduce((sum, slot) => sum + (textOf(slot)?.length ?? 0), template.length);
  if (length > maxFilled) return tooLong();
  const content = fillTemplate(template, textOf);
  return { messages: [{ role: 'user', content }] };
}

function derived(
  { selection, file, language }: { readonly selection?: string; readonly file?: string; readonly language?: string },
  { file: fileText, language: fileLanguage = '' }: CaseFiles,
): { readonly [N in PromptVariable]?: string } {
  const selected = selection ?? fileText;
  const name = file?.split('/').at(-1) ?? '';
  const languageId = language ?? fileLanguage;
  return {
    ...(selected !== undefined && { selection: selected, selectedText: selected }),
    languageId,
    ...(file !== undefined && {
      file,
      relativeFile: file,
      fileBasename: name,
      fileBasenameNoExtension: name.replace(/(?<=.)\.[^.]*$/, ''),
      fileDirname: file.split('/').slice(0, -1).join('/'),
      ...(fileText !== undefined && {
        fileContent: contextBlock({ heading: `File: ${file}`, language: languageId, text: fileText }),
      }),
    }),
  };
}

/** As in promptfoo: a JSON list of messages, or the text of one. */
function templateMessages(template: string, vars: CheckCase['vars']): CaseMessages {
  const filled = filledSlots(template, vars);
  if ('fault' in filled) return filled;
  const content = filled.value;
  if (!content.trimStart().startsWith('[')) return { messages: [{ role: 'user', content }] };
  try {
    const list: unknown = JSON.parse(content);
    if (Array.isArray(list) && list.every(isMessage)) return { messages: list };
  } catch {
    // Then it's text that starts with a bracket.
  }
  return { messages: [{ role: 'user', content }] };
}

function isMessage(value: unknown): value is CheckMessage {
  if (typeof value !== 'object' || value === null || !('role' in value) || !('content' in value)) return false;
  return ['system', 'user', 'assistant'].includes(String(value.role)) && typeof value.content === 'string';
}
