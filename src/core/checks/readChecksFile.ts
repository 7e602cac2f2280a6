import * as l10n from '@vscode/l10n';
import { bytesText } from '../../words/bytes.ts';
import { chatNumbers, chatParameterFields, chatParameters } from '../../shared/chatParameters.ts';
import { type Bounds, isWithin, numberKinds } from '../../shared/numberKinds.ts';
import type { PromptOptions } from '../prompts/promptDefinition.ts';
import {
  type CheckCase,
  type CheckInput,
  type CheckMessage,
  type ChecksFile,
  type ChecksRemark,
  maxCases,
  maxCheckFiles,
  maxChecksSize,
  maxModels,
  maxRepeat,
  type WantedModels,
} from './checksFile.ts';
import { type ChecksReading, readChecks } from './checksReading.ts';
import { fieldOf, isNull, type Located, type LocatedField, type Place, readLocatedYaml } from './locatedYaml.ts';
import { readExpectations } from './readExpectations.ts';
import type { Filled, ValueSources } from './slotsOfValue.ts';

/** The fields of a file and of a case, with a description of each. */
export const checksFields = ['prompt', 'models', 'repeat', 'judge', ...chatParameterFields, 'assert', 'cases'] as const;
export const caseFields = ['name', 'selection', 'file', 'language', 'vars', 'messages', 'assert', 'threshold'] as const;

const modelFields = ['model', 'service'];

export interface ChecksReadDeps {
  /** The prompt that belongs to a checks file with this name, relative to it. */
  readonly promptFile: string;
  /** The text of a file, given relative to this one, or why it can't be read. */
  readonly readFile: (path: string) => Promise<Filled<string>>;
}

/** Reads a `.checks.yaml`, even with errors. */
export async function readChecksFile(text: string, deps: ChecksReadDeps): Promise<ChecksFile> {
  return readChecks(async (reading) => {
    const root = rootOf(text, reading);
    if (root === undefined) return undefined;
    const files = mightRefer(text) ? await referencedFiles(root, deps.readFile) : new Map<string, Filled<string>>();
    const reader = new Reader(root, deps.promptFile, files, reading);
    const settings = reader.settings();
    // If there's a mistake outside of its cases, the file means something other than what would be sent or expected.
    const notRun = errorIn(reading.remarks);
    return { ...settings, cases: reader.cases(notRun) };
  });
}

function errorIn(remarks: readonly ChecksRemark[]): string | undefined {
  return remarks.find(({ severity }) => severity === 'error')?.message;
}

/** The top-level mapping, or undefined with the reason in the remarks. */
export function rootOf(text: string, reading: ChecksReading): Located | undefined {
  if (text.length > maxChecksSize) {
    const message = l10n.t("It's larger than {0}.", bytesText(maxChecksSize));
    reading.remark({ from: 0, to: 1 }, 'error', message);
    return undefined;
  }
  const { root, errors } = readLocatedYaml(text);
  for (const error of errors) reading.remark(error, 'error', error.message);
  // Part of it might be missing, including expectations.
  if (errors.length > 0) return undefined;
  if (root !== undefined && root.fields === undefined) {
    reading.remark({ from: 0, to: 1 }, 'error', l10n.t('Write one field per line, for example "cases:".'));
    return undefined;
  }
  return root;
}

/**
 * Hardly any file does, and looking for it in all values of a large one takes time. An escape could stand for a slash.
 */
function mightRefer(text: string): boolean {
  return text.includes('file://') || text.includes('\\');
}

/** Everything that the file refers to as `file://…`. */
export async function referencedFiles(
  root: Located,
  readFile: ChecksReadDeps['readFile'],
): Promise<ValueSources['files']> {
  const references = new Set<string>();
  const collect = (located: Located): void => {
    const { fields, items } = located;
    for (const { value } of fields ?? []) collect(value);
    for (const item of items ?? []) collect(item);
    if (fields !== undefined || items !== undefined) return;
    const { plain } = located;
    if (typeof plain === 'string' && plain.startsWith('file://')) references.add(plain);
  };
  collect(root);
  const read = [...references]
    .slice(0, maxCheckFiles)
    .map(async (reference) => [reference, await readFile(reference.slice('file://'.length))] as const);
  return new Map(await Promise.all(read));
}

/** Identifies a case, so that its results are found again: its name, and a number among cases of the same name. */
export class CaseIds {
  readonly #seen = new Map<string, number>();

  idOf(name: string): string {
    const before = this.#seen.get(name) ?? 0;
    this.#seen.set(name, before + 1);
    // Another case might be called like that.
    return before === 0 ? name : this.idOf(`${name} (${before + 1})`);
  }
}

class Reader {
  readonly #root: Located;
  readonly #promptFile: string;
  readonly #judge: Filled<string>;
  readonly #files: ValueSources['files'];
  readonly #reading: ChecksReading;

  constructor(root: Located, promptFile: string, files: ValueSources['files'], reading: ChecksReading) {
    this.#root = root;
    this.#files = files;
    this.#reading = reading;
    this.#promptFile = this.#text(root, 'prompt') ?? promptFile;
    const judge = this.#text(root, 'judge');
    const noJudge = l10n.t('Name the model that judges: add "judge: <provider>/<model>" to the file.');
    this.#judge = judge === undefined ? { fault: noJudge } : { value: judge };
  }

  settings(): Pick<ChecksFile, 'models' | 'repeat' | 'options'> {
    this.#unknownFields(this.#root, checksFields);
    const repeat = this.#number(this.#root, 'repeat', { integer: true, min: 1, max: maxRepeat }) ?? 1;
    return { models: this.#models(), repeat, options: this.#options() };
  }

  /** @param notRun why none of them can be run */
  cases(notRun?: string): readonly CheckCase[] {
    const list = fieldOf(this.#root, 'cases');
    if (list === undefined) {
      this.#remark(this.#root, 'warning', l10n.t('There are no cases yet. Add "cases:".'));
      return [];
    }
    const items = list.value.items ?? [];
    if (list.value.items === undefined)
      this.#remark(list.at, 'error', l10n.t('Write a list here, each line beginning with "- ".'));
    if (items.length > maxCases) this.#remark(list.at, 'error', l10n.t('Only the first {0} cases are read.', maxCases));
    const ids = new CaseIds();
    return items.slice(0, maxCases).map((item, index) => this.#case(item, index, ids, notRun));
  }

  #case(item: Located, index: number, ids: CaseIds, ofFile: string | undefined): CheckCase {
    const { remarks } = this.#reading;
    const before = remarks.length;
    this.#unknownFields(item, caseFields);
    const name = this.#text(item, 'name')?.trim() || l10n.t('Case {0}', index + 1);
    const vars = this.#vars(item);
    const input = this.#input(item);
    const sources = { vars, files: this.#files, judge: this.#judge, judgeOf: judgeId };
    // The file's expectations apply to every case, but errors in them are reported once.
    const common = readExpectations(fieldOf(this.#root, 'assert')?.value, sources, this.#reading, index > 0);
    const own = readExpectations(fieldOf(item, 'assert')?.value, sources, this.#reading);
    const nameAt = fieldOf(item, 'name')?.value ?? item;
    if (common.notRun !== undefined) this.#reading.remarkUnlessSaid(nameAt, common.notRun);
    const threshold = this.#number(item, 'threshold', { min: 0 });
    const expectations = [...common.expectations, ...own.expectations];
    let notRun = ofFile ?? common.notRun ?? own.notRun ?? errorIn(remarks.slice(before));
    if (notRun === undefined && expectations.length === 0) {
      notRun = l10n.t('This case expects nothing. Add "assert:".');
      this.#remark(nameAt, 'error', notRun);
    }
    const [promptFile, file] = [fieldOf(this.#root, 'prompt')?.value, fieldOf(item, 'file')?.value];
    return {
      id: ids.idOf(name),
      name,
      input,
      vars,
      expectations,
      ...(threshold !== undefined && { threshold }),
      ...(notRun !== undefined && { notRun }),
      named: { ...(promptFile !== undefined && { promptFile }), ...(file !== undefined && { file }) },
      from: item.from,
      to: item.to,
    };
  }

  #input(item: Located): CheckInput {
    const messages = fieldOf(item, 'messages');
    if (messages !== undefined) return { kind: 'messages', messages: this.#messages(messages) };
    const selection = this.#text(item, 'selection');
    const file = this.#text(item, 'file');
    const language = this.#text(item, 'language');
    return {
      kind: 'prompt',
      promptFile: this.#promptFile,
      ...(selection !== undefined && { selection }),
      ...(file !== undefined && { file }),
      ...(language !== undefined && { language }),
    };
  }

  #messages({ at, value }: LocatedField): readonly CheckMessage[] {
    const messages = (value.items ?? []).flatMap((item): readonly CheckMessage[] => {
      const role = (['system', 'user', 'assistant'] as const).find((known) => known === this.#text(item, 'role'));
      const content = this.#text(item, 'content');
      if (role !== undefined && content !== undefined) return [{ role, content }];
      this.#remark(item, 'error', l10n.t('Each message needs a role (system, user, or assistant) and content.'));
      return [];
    });
    if (messages.length === 0) this.#remark(at, 'error', l10n.t('Write a list here, each line beginning with "- ".'));
    return messages;
  }

  #vars(item: Located): Readonly<Record<string, string>> {
    const vars = fieldOf(item, 'vars')?.value;
    if (vars === undefined || isNull(vars)) return {};
    if (vars.fields === undefined) {
      this.#remark(vars, 'error', l10n.t('Write one field per line, for example "language: French".'));
      return {};
    }
    return Object.fromEntries(
      vars.fields.flatMap(({ name, value }) => {
        const text = this.#scalar(value);
        return text === undefined ? [] : [[name, text]];
      }),
    );
  }

  #models(): readonly WantedModels[] {
    const list = fieldOf(this.#root, 'models')?.value;
    if (list === undefined || list.plain === null) return [];
    const items = list.items ?? [list];
    if (items.length > maxModels) this.#remark(list, 'error', l10n.t('Only the first {0} models are read.', maxModels));
    if (items.length === 0) this.#remark(list, 'error', notAModel());
    return items.slice(0, maxModels).flatMap((item): readonly WantedModels[] => {
      const pattern = item.fields === undefined ? item.plain : this.#text(item, 'model');
      const service = item.fields === undefined ? undefined : this.#text(item, 'service');
      if (item.fields !== undefined) this.#unknownFields(item, modelFields);
      if (typeof pattern === 'string' && /^\S{1,256}$/.test(pattern)) {
        return [{ pattern, ...(service !== undefined && { service }), from: item.from, to: item.to }];
      }
      this.#remark(item, 'error', notAModel());
      return [];
    });
  }

  #options(): PromptOptions {
    return chatNumbers((name) =>
      this.#number(this.#root, chatParameters[name].wire, numberKinds[chatParameters[name].kind]),
    );
  }

  #text(of: Located, name: string): string | undefined {
    const field = fieldOf(of, name);
    return field === undefined ? undefined : this.#scalar(field.value);
  }

  /** Text, or a number or similar as it's written. */
  #scalar(value: Located): string | undefined {
    const { plain } = value;
    if (typeof plain === 'string' && plain.startsWith('file://')) {
      const read = this.#files.get(plain);
      if (read !== undefined && 'value' in read) return read.value;
      return this.#remark(value, 'error', read?.fault ?? l10n.t("This file can't be read: {0}", plain));
    }
    if (typeof plain === 'string') return plain;
    if (typeof plain === 'number' || typeof plain === 'boolean') return String(plain);
    return this.#remark(value, 'error', l10n.t('Enter text.'));
  }

  #number(of: Located, name: string, bounds: Bounds): number | undefined {
    const field = fieldOf(of, name);
    if (field === undefined) return undefined;
    const { plain } = field.value;
    if (typeof plain === 'number' && isWithin(plain, bounds)) return plain;
    const { max, integer } = bounds;
    return this.#remark(
      field.value,
      'error',
      integer === true && max !== undefined ? wholeNumberUpTo(max) : l10n.t('Enter a number, 0 or more.'),
    );
  }

  #unknownFields(of: Located, known: readonly string[]): void {
    for (const { name, at } of of.fields ?? []) {
      if (known.includes(name)) continue;
      this.#remark(at, 'error', l10n.t('Unknown field "{0}". Known fields: {1}.', name, known.join(', ')));
    }
    if (of.fields === undefined) this.#remark(of, 'error', l10n.t('Write one field per line, for example "cases:".'));
  }

  #remark(at: Place, severity: ChecksRemark['severity'], message: string): undefined {
    this.#reading.remark(at, severity, message);
  }
}

export function wholeNumberUpTo(max: number): string {
  return l10n.t('Enter a whole number from 1 to {0}.', max);
}

function notAModel(): string {
  return l10n.t('Enter a model as <provider>/<model>, a pattern, for example "<provider>/*", or "favorites".');
}

/** An expectation's own judge: a model, or a mapping with its `id`. */
function judgeId(provider: Located): Filled<string> {
  const id = provider.fields === undefined ? provider : fieldOf(provider, 'id')?.value;
  return typeof id?.plain === 'string' ? { value: id.plain } : { fault: l10n.t('Enter text.') };
}
