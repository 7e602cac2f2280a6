import { isMap, isNode, isScalar, isSeq, parseDocument, stringify } from 'yaml';
import { promptVariables, templateSlots } from '../prompts/promptTemplate.ts';
import { caseMessages } from './caseMessages.ts';
import type { CheckMessage } from './checksFile.ts';
import { readChecksFile } from './readChecksFile.ts';

/** A case to write into a file. */
export interface WrittenCase {
  readonly name: string;
  readonly selection?: string;
  readonly file?: string;
  readonly language?: string;
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
  const head = `# ${comment}\nrepeat: 1\n\ncases:\n`;
  return { text: `${head}${blockItem(written, 2, '\n')}\n`, at: head.length + 2 };
}

/** The file with the case added at the end, otherwise unchanged; undefined if its cases can't be extended. */
export function withCase(text: string, written: WrittenCase): FileWithCase | undefined {
  const added = extended(text, written);
  // A list can be written in many ways, so the content of the new text is compared with that of the old one.
  return added !== undefined && isOneMore(text, added.text, written) ? added : undefined;
}

function extended(text: string, written: WrittenCase): FileWithCase | undefined {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const { contents } = parsed(text);
  if (contents !== null && !isMap(contents)) return undefined;
  const pair = contents?.items.find(({ key }) => isScalar(key) && key.value === 'cases');
  if (pair === undefined) {
    const before = text.trimEnd();
    return afterLine(`${before}${before === '' ? '' : lineEnd + lineEnd}cases:`, '', 2);
  }
  const { key, value: list } = pair;
  const column = isScalar(key) ? columnOf(key.range?.[0] ?? 0) : 0;
  if (isSeq(list) && list.range && (list.items.length > 0 || text.slice(...sides(list.range)).includes('\n'))) {
    const [first, last] = list.range;
    // The dash of the first item determines the indentation.
    const item = list.items.at(-1);
    if (list.flow !== true) {
      // Like the others in this file.
      const start = isNode(item) ? item.range?.[0] : undefined;
      const gap = list.items.length > 1 && start !== undefined && isAfterBlankLine(start) ? lineEnd : '';
      return afterLine(text.slice(0, endOf(last)), text.slice(endOf(last)), columnOf(first), gap);
    }
    const end = isNode(item) && item.range ? item.range[1] : first + 1;
    const head = text.slice(0, end) + (item === undefined ? '' : ', ');
    return { text: head + JSON.stringify(written) + text.slice(end), at: head.length };
  }
  // Without any case yet: `cases:`, `cases: # none`, `cases: ~`, or `cases: []`.
  if (!isNode(list) || !list.range || (isScalar(list) ? list.value !== null : !isSeq(list))) return undefined;
  const [valueFrom, to] = list.range;
  const line = text.indexOf('\n', to);
  const lineTo = line < 0 ? text.length : line;
  return afterLine(text.slice(0, valueFrom) + text.slice(to, lineTo), text.slice(lineTo), column + 2);

  function afterLine(start: string, rest: string, indent: number, gap = ''): FileWithCase {
    const head = start.trimEnd() + lineEnd + gap;
    const item = blockItem(written, indent, lineEnd);
    return { text: `${head}${item}${lineEnd}${rest.replace(/^\s*\n/, '')}`, at: head.length + indent };
  }

  function columnOf(offset: number): number {
    return offset - (text.lastIndexOf('\n', offset - 1) + 1);
  }

  function isAfterBlankLine(offset: number): boolean {
    return /\n[ \t]*\r?\n$/.test(text.slice(0, offset - columnOf(offset)));
  }

  /** After the list, where the next line starts in the first column. */
  function endOf(from: number): number {
    const next = /^\S/m.exec(text.slice(from));
    return next === null || text[from - 1] !== '\n'
      ? Math.max(from, next === null ? text.length : from)
      : from + next.index;
  }
}

function sides([from, to]: readonly [number, number, number]): [number, number] {
  return [from, to];
}

function blockItem(written: WrittenCase, indent: number, lineEnd: string): string {
  const lines = stringify([written], { lineWidth: 0 }).trimEnd().split('\n');
  return lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join(lineEnd);
}

function parsed(text: string) {
  return parseDocument(text, { prettyErrors: false, logLevel: 'silent', uniqueKeys: false });
}

/** Whether the second text says the same as the first, plus this case at the end. */
function isOneMore(before: string, after: string, written: WrittenCase): boolean {
  const [old, cases] = saidBy(before);
  const [now, all] = saidBy(after);
  return old !== undefined && old === now && JSON.stringify(all) === JSON.stringify([...cases, written]);
}

/** What the file contains besides its cases, and the cases; undefined for a file with errors. */
function saidBy(text: string): readonly [string | undefined, readonly unknown[]] {
  const document = parsed(text);
  if (document.errors.length > 0) return [undefined, []];
  try {
    const said: unknown = document.toJS() ?? {};
    if (typeof said !== 'object' || said === null || Array.isArray(said)) return [undefined, []];
    const { cases, ...rest }: Record<string, unknown> = { ...said };
    return [JSON.stringify(rest), Array.isArray(cases) ? cases : []];
  } catch {
    // For example, an alias of nothing.
    return [undefined, []];
  }
}

/**
 * Text with a special meaning in a file of checks, and the variable that replaces it: templates, and `file:` or
 * `package:` at the beginning.
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
  const literal = new LiteralTexts();
  const written = messages.map(({ role, content }) => ({ role, content: literal.of(content) }));
  const value = literal.of(reply);
  return { name: plainName(name), ...varsOf(literal.vars), messages: written, assert: [{ type: 'equals', value }] };
}

/**
 * A case that runs a prompt file with the same values as before. Undefined if a case can't express that, for example
 * because the file has changed since.
 */
export async function promptCase(
  name: string,
  { template, values, content }: SentTemplate,
  reply: string,
): Promise<WrittenCase | undefined> {
  const { selection, selectedText = selection, languageId, fence: _fence, ...others } = values;
  const literal = new LiteralTexts();
  const value = literal.of(reply);
  const written: WrittenCase = {
    name: plainName(name),
    ...(selectedText !== undefined && { selection: selectedText }),
    ...(languageId !== undefined && { language: languageId }),
    ...varsOf({ ...literal.vars, ...others }),
    assert: [{ type: 'equals', value }],
  };
  const { text } = fileWithCase('', written);
  const file = await readChecksFile(text, { promptFile: '', readFile: async () => ({ fault: '' }) });
  const [check] = file.cases;
  const sent = check && caseMessages(check, { template });
  const isSame = sent !== undefined && 'messages' in sent && sent.messages.every((each) => each.content === content);
  return isSame && check?.expectations.every((each) => each.value === reply) === true ? written : undefined;
}

/** A prompt file with the values that its variables had. */
export interface SentTemplate {
  readonly template: string;
  /** What its variables stood for, by name. */
  readonly values: Readonly<Record<string, string>>;
  readonly content: string;
}

/** Replaces text that would be a template with variables. */
class LiteralTexts {
  readonly vars: Record<string, string> = {};

  of(text: string): string {
    return text.replace(/^(?:file:(?=\/\/)|package:)|\{\{|\{%|\{#/g, (sign) => {
      const [variable = ''] = Object.entries(literals).find(([, each]) => each === sign) ?? [];
      this.vars[variable] = sign;
      return `{{${variable}}}`;
    });
  }
}

function varsOf(vars: Readonly<Record<string, string>>): Pick<WrittenCase, 'vars'> {
  return Object.keys(vars).length === 0 ? {} : { vars };
}

function plainName(name: string): string {
  return name.replace(/^file:\/\//, '');
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
