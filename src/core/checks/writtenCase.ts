import { isMap, isSeq, parseDocument, stringify } from 'yaml';
import { promptVariables, templateSlots } from '../prompts/promptTemplate.ts';
import type { CheckMessage } from './checksFile.ts';

/** A case to write into a file. */
export interface WrittenCase {
  readonly name: string;
  readonly selection?: string;
  readonly file?: string;
  readonly vars?: Readonly<Record<string, string>>;
  readonly messages?: readonly CheckMessage[];
  readonly assert: readonly { readonly type: string; readonly value?: unknown }[];
}

export interface FileWithCase {
  readonly text: string;
  /** Position of the new case, in UTF-16 units of the text. */
  readonly at: number;
}

/** A new file with one case. @param comment one line */
export function fileWithCase(comment: string, written: WrittenCase): FileWithCase {
  return withCase(`# ${comment}\nrepeat: 1\n\ncases:\n`, written);
}

/** The file with the case added at the end, otherwise unchanged. */
export function withCase(text: string, written: WrittenCase): FileWithCase {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const { contents } = parseDocument(text, { prettyErrors: false, logLevel: 'silent', uniqueKeys: false });
  const list = isMap(contents) ? contents.get('cases', true) : undefined;
  const last = isSeq(list) && list.flow !== true ? list.items.at(-1) : undefined;
  const first = isSeq(list) ? list.range?.[0] : undefined;
  const isList = last !== undefined && isSeq(list) && first !== undefined;
  // The dash of the first item determines the indentation.
  const indent = isList ? first - (text.lastIndexOf('\n', first - 1) + 1) : 2;
  const end = isList ? endOf(list.range?.[1] ?? text.length) : text.length;
  const before = text.slice(0, end).trimEnd();
  const after = text.slice(end);
  const isWithout = !isList && !/^cases:[ \t]*$/m.test(text);
  const head = `${before}${isWithout ? `${before === '' ? '' : lineEnd + lineEnd}cases:` : ''}${lineEnd}`;
  const lines = stringify([written], { lineWidth: 0 }).trimEnd().split('\n');
  const added = lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join(lineEnd);
  return { text: `${head}${added}${lineEnd}${after.replace(/^\s*\n/, '')}`, at: head.length + indent };

  /** After the list, where the next line starts in the first column. */
  function endOf(from: number): number {
    const next = /^\S/m.exec(text.slice(from));
    return next === null || text[from - 1] !== '\n'
      ? Math.max(from, next === null ? text.length : from)
      : from + next.index;
  }
}

/**
 * Text with a special meaning in a file of checks, and the variable that replaces it: templates, and files at the
 * beginning.
 */
const literals: Readonly<Record<string, string>> = {
  braces: '{{',
  percent: '{%',
  hash: '{#',
  scheme: 'file:',
  bundle: 'package:',
};

/** A case of literal texts: what looks like a template in them becomes a variable. */
export function literalCase(name: string, messages: readonly CheckMessage[], reply: string): WrittenCase {
  const used = new Map<string, string>();
  const literal = (text: string) =>
    text.replace(/^(?:file:(?=\/\/)|package:)|\{\{|\{%|\{#/g, (sign) => {
      const [variable = ''] = Object.entries(literals).find(([, each]) => each === sign) ?? [];
      used.set(variable, sign);
      return `{{${variable}}}`;
    });
  const written = messages.map(({ role, content }) => ({ role, content: literal(content) }));
  const value = literal(reply);
  const vars = used.size === 0 ? {} : { vars: Object.fromEntries(used) };
  return { name: name.replace(/^file:\/\//, ''), ...vars, messages: written, assert: [{ type: 'equals', value }] };
}

/** What a new case has to ask of a prompt. */
export function firstCase(
  template: string,
  { name, value, selection }: { readonly name: string; readonly value: string; readonly selection: string },
): WrittenCase {
  const slots = templateSlots(template);
  const uses = (word: string) => slots.some((slot) => slot.kind === 'variable' && slot.name === word);
  const usesFile = promptVariables.some((word) => /^(?:file|relativeFile)/.test(word) && uses(word));
  const vars = slots.flatMap((slot) => {
    const isGiven =
      slot.kind === 'variable' && /^(?:selection|selectedText|file|relativeFile|languageId|fence)/.test(slot.name);
    return slot.kind === 'unknown' || isGiven ? [] : [[slot.name, slot.kind === 'input' ? slot.hint : ''] as const];
  });
  return {
    name,
    ...((uses('selection') || uses('selectedText')) && { selection }),
    ...(usesFile && { file: 'src/example.ts' }),
    ...(vars.length > 0 && { vars: Object.fromEntries(vars) }),
    assert: [{ type: 'icontains', value }],
  };
}
