import * as l10n from '@vscode/l10n';
import { chatOptionsOf } from '../../shared/chat.ts';
import { chatNumbers, chatParameterFields, chatParameters } from '../../shared/chatParameters.ts';
import { type NumberKind, isWithin, numberKinds } from '../../shared/numberKinds.ts';
import type { FrontMatterField } from './frontMatter.ts';
import { serviceNamed } from '../models/modelText.ts';
import { hiddenCharacters } from '../safety/hiddenCharacters.ts';
import { type PromptOptions, type PromptTarget, promptTargets } from './promptDefinition.ts';
import { promptVariables, templateSlots } from './promptTemplate.ts';
import { bytesText } from '../../words/bytes.ts';

/** A remark for the author of a prompt file. Offsets are UTF-16 units in the file. */
export interface PromptFileRemark {
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

/** A `.prompt.md` file. If the remarks include an error, it must not be run. */
export interface PromptFile {
  readonly description?: string;
  readonly target?: PromptTarget;
  readonly options: PromptOptions;
  /** What is sent: everything after the front matter, without blank lines around it. */
  readonly template: string;
  readonly remarks: readonly PromptFileRemark[];
}

type Remark = (severity: PromptFileRemark['severity'], message: string) => undefined;

// Part of VS Code's format, but only useful to its own chat.
const ofOthers = ['name', 'mode', 'agent', 'tools', 'argument-hint'];
const ofRequest = ['model', ...chatParameterFields];
const ours = ['description', 'target', ...ofRequest];
// Parsing YAML takes quadratic time in the number of fields, and someone else might have written the file.
const maxFrontMatterSize = 16 * 1024;
const frontMatter = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/** Reads a prompt file, even with errors. The YAML library is loaded with the first front matter. */
export async function readPromptFile(text: string): Promise<PromptFile> {
  const remarks: PromptFileRemark[] = [];
  const match = frontMatter.exec(text);
  const isAtStart = match !== null && match.index === 0;
  if (!isAtStart && /^\uFEFF?---[ \t]*\r?\n/.test(text)) {
    remarks.push({ severity: 'error', message: l10n.t('The closing --- line is missing.'), from: 0, to: 3 });
    return { options: {}, template: '', remarks };
  }
  const head = isAtStart ? match[0] : '';
  const yaml = isAtStart ? (match[1] ?? '') : '';
  const fields = yaml.trim() === '' ? [] : await frontMatterFields(yaml, head.indexOf('\n') + 1, remarks);
  const settings = readSettings(fields, remarks);

  const body = text.slice(head.length).replace(/^\uFEFF/, '');
  const lead = /^(?:[ \t]*\r?\n)*/.exec(body)?.[0].length ?? 0;
  const template = body.slice(lead).trimEnd();
  const bodyAt = text.length - body.length + lead;
  if (template === '') {
    const end = Math.max(1, text.trimEnd().length);
    const message = l10n.t("There's no text to send. Write the prompt below the block between the --- lines.");
    remarks.push({ severity: 'error', message, from: end - 1, to: end });
  }
  remarks.push(...slotRemarks(template, bodyAt), ...hiddenRemarks(text));
  return { ...settings, template, remarks };
}

async function frontMatterFields(
  yaml: string,
  at: number,
  remarks: PromptFileRemark[],
): Promise<readonly FrontMatterField[]> {
  if (yaml.length > maxFrontMatterSize) {
    const message = l10n.t(
      "The block between the --- lines is larger than {0}, so it isn't read.",
      bytesText(maxFrontMatterSize),
    );
    remarks.push({ severity: 'error', message, from: 0, to: 3 });
    return [];
  }
  const { readFrontMatter } = await import('./frontMatter.ts');
  const { fields, errors } = readFrontMatter(yaml);
  const moved = <T extends { readonly from: number; readonly to: number }>(part: T): T => ({
    ...part,
    from: at + part.from,
    to: at + part.to,
  });
  remarks.push(...errors.map((error) => ({ severity: 'error' as const, ...moved(error) })));
  return fields.map(moved);
}

function readSettings(
  fields: readonly FrontMatterField[],
  remarks: PromptFileRemark[],
): Pick<PromptFile, 'description' | 'target' | 'options'> {
  const read = <T>(name: string, rule: (value: unknown, remark: Remark) => T | undefined): T | undefined => {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined || field.value === null || field.value === undefined) return undefined;
    return rule(field.value, (severity, message) => {
      remarks.push({ severity, message, from: field.from, to: field.to });
      return undefined;
    });
  };
  const description = read('description', textField);
  const model = read('model', readModel);
  const numbers = chatNumbers((name) => {
    const { wire, kind, example } = chatParameters[name];
    return read(wire, (value, remark) =>
      typeof value === 'number' && isWithin(value, numberKinds[kind])
        ? value
        : remark('error', wanted[kind](`${wire}: ${example}`)),
    );
  });
  const target = read('target', readTarget);
  for (const { name, from, to } of fields) {
    if (target === 'currentChat' && ofRequest.includes(name)) {
      const message = l10n.t(
        'Ignored when the reply goes to the current chat, which keeps its own model and parameters.',
      );
      remarks.push({ severity: 'info', message, from, to });
    }
    if (ours.includes(name) || ofOthers.includes(name)) continue;
    const message = l10n.t('Unknown field "{0}". Known fields: {1}.', name, ours.join(', '));
    remarks.push({ severity: 'warning', message, from, to });
  }
  return {
    ...(description !== undefined && { description }),
    ...(target !== undefined && { target }),
    options: chatOptionsOf({ model, systemPrompt: undefined, ...numbers, stream: undefined }),
  };
}

const wanted: Readonly<Record<NumberKind, (example: string) => string>> = {
  count: (example) => l10n.t('Enter a whole number, 1 or more, for example "{0}".', example),
  whole: (example) => l10n.t('Enter a whole number, for example "{0}".', example),
  fromZero: (example) => l10n.t('Enter a number, 0 or more, for example "{0}".', example),
  share: (example) => l10n.t('Enter a number above 0 and at most 1, for example "{0}".', example),
};

function textField(value: unknown, remark: Remark): string | undefined {
  return typeof value === 'string' ? value : remark('error', l10n.t('Enter text.'));
}

function readModel(value: unknown, remark: Remark): string | undefined {
  // VS Code's own model names appear alone or in a list, and no service knows them.
  if (typeof value === 'string' && value.length <= 256) {
    const slash = value.indexOf('/');
    const service = value.slice(0, Math.max(0, slash));
    if (/^\S+$/.test(value.slice(slash + 1))) {
      // Only the name of a service can have spaces. If no service has that name, the code would be sent to another one.
      if (!/\s/.test(service) || serviceNamed(service) !== undefined) return value;
      return remark('error', l10n.t('No service is named "{0}".', service));
    }
  }
  if (typeof value === 'string' || Array.isArray(value)) {
    return remark(
      'info',
      l10n.t("The service doesn't list this model (<provider>/<model>), so the default model is used."),
    );
  }
  return remark('error', l10n.t('Enter a model as <provider>/<model>.'));
}

function readTarget(value: unknown, remark: Remark): PromptTarget | undefined {
  if (value === 'chat') return 'newChat';
  const known = promptTargets.find((target) => target === value);
  return known ?? remark('error', l10n.t('Enter one of these: {0}.', ['chat', ...promptTargets].join(', ')));
}

function slotRemarks(template: string, at: number): readonly PromptFileRemark[] {
  return templateSlots(template).flatMap((slot) => {
    if (slot.kind !== 'unknown') return [];
    const names = [...promptVariables, 'input:name:hint'].join(', ');
    const message = l10n.t('Unknown variable, so it will be sent as text. Available variables: {0}.', names);
    return [{ severity: 'info' as const, message, from: at + slot.from, to: at + slot.to }];
  });
}

function hiddenRemarks(text: string): readonly PromptFileRemark[] {
  const [first] = hiddenCharacters(text, { startsFile: true });
  if (first === undefined) return [];
  const from =
    text
      .split('\n')
      .slice(0, first.line - 1)
      .join('\n').length + (first.line > 1 ? 1 : 0);
  const end = text.indexOf('\n', from);
  const code = `U+${first.codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  const message = l10n.t('This line contains an invisible character ({0}). It would be sent too.', code);
  return [{ severity: 'warning', message, from, to: end < 0 ? text.length : end }];
}
