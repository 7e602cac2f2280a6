import * as l10n from '@vscode/l10n';
import { type ChatNumbers, chatNumbers, chatParameterFields, chatParameters } from '../../shared/chatParameters.ts';
import type { PromptOptions } from '../prompts/promptDefinition.ts';
import {
  type CheckCase,
  type CheckInput,
  type ChecksFile,
  type ChecksRemark,
  maxPromptedCases,
  maxModels,
  maxRepeat,
  type WantedModels,
} from './checksFile.ts';
import { type ChecksReading, readChecks } from './checksReading.ts';
import { fieldOf, type Located, type Place } from './locatedYaml.ts';
import { CaseIds, referencedFiles, rootOf } from './readChecksFile.ts';
import { readExpectations } from './readExpectations.ts';
import { type Filled, notSupported } from './slotsOfValue.ts';

/** Fields that don't affect how a reply is judged. */
const harmless = ['description', 'tags', 'metadata', 'outputPath', 'sharing', 'commandLineOptions', 'evaluateOptions'];
const ofFile = ['prompts', 'providers', 'targets', 'tests', 'defaultTest'];
const ofTest = ['description', 'vars', 'assert', 'threshold', 'options', 'metadata'];

/**
 * Reads a `promptfooconfig.yaml`: prompts, tests, and models of OpenAI's API, which are looked up at the service that
 * Parlance uses. Unsupported content gets a remark at its line, and whatever depends on it isn't run.
 */
export async function readPromptfooConfig(
  text: string,
  readFile: (path: string) => Promise<Filled<string>>,
): Promise<ChecksFile> {
  return readChecks(async (reading) => {
    const root = rootOf(text, reading);
    if (root === undefined) return undefined;
    const config = new ConfigReader(root, await referencedFiles(root, readFile), reading);
    return { models: config.models(), repeat: config.repeat(), options: config.options(), cases: config.cases() };
  });
}

class ConfigReader {
  readonly #root: Located;
  readonly #files: ReadonlyMap<string, Filled<string>>;
  readonly #reading: ChecksReading;

  constructor(root: Located, files: ReadonlyMap<string, Filled<string>>, reading: ChecksReading) {
    this.#root = root;
    this.#files = files;
    this.#reading = reading;
  }

  models(): readonly WantedModels[] {
    const { list, items } = this.#providers();
    if (list === undefined) return [];
    if (items.length > maxModels) this.#remark(list, 'error', l10n.t('Only the first {0} models are read.', maxModels));
    return items.slice(0, maxModels).flatMap((item): readonly WantedModels[] => {
      const pattern = this.#model(item);
      const config = fieldOf(item, 'config');
      if (config !== undefined && !this.#isRead(config.value))
        this.#remark(config.at, 'warning', l10n.t('Ignored. Parlance uses your own settings.'));
      return pattern === undefined ? [] : [{ pattern, from: item.from, to: item.to }];
    });
  }

  /** What all models have in common; a model's own parameters aren't supported. */
  options(): PromptOptions {
    const [first, ...others] = this.#numbersOfModels();
    return first !== undefined && others.every((each) => isSame(each, first)) ? first : {};
  }

  #providers(): { readonly list?: Located; readonly items: readonly Located[] } {
    const list = (fieldOf(this.#root, 'providers') ?? fieldOf(this.#root, 'targets'))?.value;
    return list === undefined ? { items: [] } : { list, items: list.items ?? [list] };
  }

  #numbersOfModels(): readonly ChatNumbers[] {
    return this.#providers().items.map((item) => {
      const config = fieldOf(item, 'config')?.value;
      return config === undefined ? {} : numbersIn(config);
    });
  }

  /** Whether everything in a model's configuration applies here too. */
  #isRead(config: Located): boolean {
    const rest = (config.fields ?? []).filter(({ name, value }) => !isSame(value.plain, ours[name]));
    const numbers = numbersIn(config);
    const areNumbers = rest.length === Object.keys(numbers).length;
    return areNumbers && (rest.length === 0 || isSame(this.options(), numbers));
  }

  repeat(): number {
    const options = fieldOf(this.#root, 'evaluateOptions')?.value;
    const repeat = options && fieldOf(options, 'repeat')?.value.plain;
    return typeof repeat === 'number' && Number.isInteger(repeat) && repeat >= 1 ? Math.min(repeat, maxRepeat) : 1;
  }

  cases(): readonly CheckCase[] {
    const beyond = this.#beyond(this.#root, [...ofFile, ...harmless]);
    const tests = fieldOf(this.#root, 'tests');
    if (tests !== undefined && tests.value.items === undefined) {
      this.#remark(tests.value, 'error', notSupported('tests'));
    }
    const prompts = this.#prompts();
    const ids = new CaseIds();
    const items = tests?.value.items ?? [];
    const most = Math.floor(maxPromptedCases / Math.max(1, prompts.length));
    if (tests !== undefined && items.length > most)
      this.#remark(tests.at, 'error', l10n.t('Only the first {0} cases are read.', most));
    return items
      .slice(0, most)
      .flatMap((test, index) =>
        prompts.map((prompt) => this.#case(test, index, prompt, beyond, { ids, isOnly: prompts.length === 1 })),
      );
  }

  #case(
    test: Located,
    index: number,
    prompt: Prompt,
    beyond: string | undefined,
    { ids, isOnly }: { readonly ids: CaseIds; readonly isOnly: boolean },
  ): CheckCase {
    const defaults = fieldOf(this.#root, 'defaultTest')?.value;
    const parts = defaults === undefined ? [test] : [defaults, test];
    // Errors in the defaults are reported once.
    const isFirst = { common: index === 0 && prompt.number === 1, own: prompt.number === 1 };
    const isQuiet = (part: Located) => !(part === test ? isFirst.own : isFirst.common);
    let notRun = beyond ?? prompt.notRun;
    const vars: Record<string, string> = {};
    for (const part of parts) {
      notRun ??= this.#beyond(part, ofTest, isQuiet(part));
      for (const { name, value } of fieldOf(part, 'vars')?.value.fields ?? []) {
        const text = this.#varOf(value);
        if (text === undefined) notRun ??= this.#remark(value, 'error', notSupported(`vars.${name}`), isQuiet(part));
        else vars[name] = text;
      }
      notRun ??= this.#optionsFault(part, isQuiet(part));
    }
    const judge = parts.map((part) => this.#judgeOf(part)).findLast((known) => known !== undefined);
    const sources = { vars, files: this.#files, judge };
    const read = parts.map((part) =>
      readExpectations(fieldOf(part, 'assert')?.value, sources, this.#reading, isQuiet(part)),
    );
    const threshold = parts
      .map((part) => fieldOf(part, 'threshold')?.value.plain)
      .findLast((limit) => typeof limit === 'number');
    for (const each of read) notRun ??= each.notRun;
    const options = parts.reduce<ChatNumbers>((all, part) => ({ ...all, ...optionsOf(part) }), {});
    const expectations = read.flatMap((each) => each.expectations);
    if (expectations.length === 0) {
      const message = l10n.t('This case expects nothing. Add "assert:".');
      notRun ??= this.#remark(test, 'error', message, isQuiet(test));
    }
    const description = fieldOf(test, 'description')?.value.plain;
    const own = typeof description === 'string' ? description : l10n.t('Case {0}', index + 1);
    const name = isOnly ? own : `${own} · ${prompt.label}`;
    return {
      id: ids.idOf(name),
      name,
      input: prompt.input,
      vars,
      expectations,
      ...(threshold !== undefined && { threshold }),
      ...(Object.keys(options).length > 0 && { options }),
      ...(notRun !== undefined && { notRun }),
      from: test.from,
      to: test.to,
    };
  }

  #prompts(): readonly Prompt[] {
    const list = fieldOf(this.#root, 'prompts')?.value;
    const items = list === undefined ? [] : (list.items ?? [list]);
    return items.map((item, index) => {
      const written = item.fields === undefined ? item : (fieldOf(item, 'raw')?.value ?? fieldOf(item, 'id')?.value);
      const label = fieldOf(item, 'label')?.value.plain;
      const number = index + 1;
      const named = { number, label: typeof label === 'string' ? label : l10n.t('Prompt {0}', number) };
      const template = written === undefined ? undefined : this.#promptText(written);
      if (template !== undefined) return { ...named, input: { kind: 'prompt', template } };
      const notRun = this.#remark(item, 'error', notSupported('prompts'));
      return { ...named, input: { kind: 'prompt', template: '' }, ...(notRun !== undefined && { notRun }) };
    });
  }

  #promptText({ plain }: Located): string | undefined {
    if (typeof plain !== 'string') return undefined;
    const isFile = plain.startsWith('file://');
    if (!isFile)
      return /^(?:exec:|python:|package:)|\.(?:txt|json|ya?ml|md|csv|[cm]?[jt]s|py)$/.test(plain) ? undefined : plain;
    const read = this.#files.get(plain);
    if (read === undefined || 'fault' in read || !/\.(?:txt|md)$/.test(plain)) return undefined;
    // Such a file can contain several prompts.
    return /^---$/m.test(read.value) ? undefined : read.value;
  }

  #varOf({ plain }: Located): string | undefined {
    if (typeof plain === 'number' || typeof plain === 'boolean') return String(plain);
    if (typeof plain !== 'string') return undefined;
    if (!plain.startsWith('file://')) return /\{[{%#]/.test(plain) ? undefined : plain;
    const read = this.#files.get(plain);
    return read !== undefined && 'value' in read && plain.endsWith('.txt') ? read.value.trim() : undefined;
  }

  /** The judge of llm-rubric. */
  #judgeOf(part: Located): string | undefined {
    const options = fieldOf(part, 'options')?.value;
    const provider = options && fieldOf(options, 'provider')?.value;
    return provider === undefined ? undefined : modelOfProvider(provider.plain);
  }

  #optionsFault(part: Located, isQuiet: boolean): string | undefined {
    const options = fieldOf(part, 'options')?.value;
    if (options === undefined) return undefined;
    // A parameter that isn't a number would be left out.
    const numbers = chatParameterFields.filter((name) => typeof fieldOf(options, name)?.value.plain === 'number');
    return this.#beyond(options, ['provider', ...numbers], isQuiet);
  }

  #model(item: Located): string | undefined {
    const id = item.fields === undefined ? item : fieldOf(item, 'id')?.value;
    const model = modelOfProvider(id?.plain);
    if (model === undefined) {
      const message = l10n.t('Only models of the OpenAI API are run, for example "openai:chat:<model>".');
      this.#remark(id ?? item, 'error', message);
    }
    return model;
  }

  /** The first field that changes what's sent or how it's judged in an unsupported way. */
  #beyond(of: Located, known: readonly string[], isQuiet = false): string | undefined {
    const beyond = (of.fields ?? []).filter(({ name }) => !known.includes(name));
    for (const { at, name } of beyond) this.#remark(at, 'error', notSupported(name), isQuiet);
    return beyond[0] && notSupported(beyond[0].name);
  }

  #remark(at: Place, severity: ChecksRemark['severity'], message: string, isQuiet = false): string {
    if (!isQuiet) this.#reading.remark(at, severity, message);
    return message;
  }
}

/**
 * What an exported configuration says about each model. Without it, promptfoo adds parameters of its own, and a service
 * may stream what promptfoo reads whole.
 */
export const exportedConfig = { omitDefaults: true, passthrough: { stream: false } } as const;
const ours: Readonly<Record<string, unknown>> = exportedConfig;

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function numbersIn(fields: Located): ChatNumbers {
  return chatNumbers((name) => fieldOf(fields, chatParameters[name].wire)?.value.plain);
}

function optionsOf(part: Located): ChatNumbers {
  const options = fieldOf(part, 'options')?.value;
  return options === undefined ? {} : numbersIn(options);
}

interface Prompt {
  /** Counted from 1. */
  readonly number: number;
  readonly label: string;
  readonly input: CheckInput;
  readonly notRun?: string;
}

/** The service's own ID in `openai:chat:<id>`. */
function modelOfProvider(provider: unknown): string | undefined {
  if (typeof provider !== 'string') return undefined;
  const [, model] = /^openai:(?:chat:)?([^\s:][^\s]*)$/.exec(provider) ?? [];
  return model === undefined ||
    /^(?:completion|embedding|image|realtime|responses|assistant|moderation)(?::|$)/.test(model)
    ? undefined
    : model;
}
