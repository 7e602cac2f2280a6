import * as l10n from '@vscode/l10n';
import { type ChatNumbers, chatParameterFields } from '../../../shared/chatParameters.ts';
import { isWithin } from '../../../shared/numberKinds.ts';
import {
  type CheckCase,
  type CheckInput,
  type ChecksFile,
  type ChecksRemark,
  maxPromptedCases,
  maxRepeat,
} from '../checksFile.ts';
import { type ChecksReading, readChecks } from '../checksReading.ts';
import { fieldOf, type Located, type Place } from '../locatedYaml.ts';
import { fieldsBeyond, judgeOf, numbersIn, PromptfooModels } from './promptfooModels.ts';
import { CaseIds, referencedFiles, rootOf, wholeNumberUpTo } from '../readChecksFile.ts';
import { readExpectations } from '../readExpectations.ts';
import { type Filled, notSupported } from '../slotsOfValue.ts';

const endings = '.cjs .cts .j2 .js .json .jsonl .md .mjs .mts .py .ts .txt .yml .yaml'.split(' ');

/** Fields that don't affect how a reply is judged. */
const harmless = ['description', 'tags', 'metadata', 'outputPath', 'sharing', 'commandLineOptions', 'evaluateOptions'];
const ofFile = ['prompts', 'providers', 'targets', 'tests', 'defaultTest'];
/** Of `evaluateOptions`; others select tests, or decide when a reply is too late. */
const ofEvaluation = [
  'repeat',
  'cache',
  'delay',
  'generateSuggestions',
  'interactiveProviders',
  'maxConcurrency',
  'showProgressBar',
  'silent',
  'suggestionsCount',
];
const ofPrompt = ['raw', 'id', 'label'];
/** Of `commandLineOptions`; others select tests, or change what's sent. */
const ofCommandLine = [
  'repeat',
  'cache',
  'delay',
  'description',
  'envPath',
  'generateSuggestions',
  'maxConcurrency',
  'noShare',
  'output',
  'progressBar',
  'share',
  'suggestionsCount',
  'table',
  'tableCellMaxLength',
  'tags',
  'verbose',
  'watch',
  'write',
];
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
    const models = new PromptfooModels(root);
    const wanted = models.wanted(reading);
    const { repeat, fault } = config.repeat();
    const cases = config.cases(models.notRun() ?? fault);
    return { models: wanted, repeat, options: models.options(), cases };
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

  /** How often each case is sent, or why that isn't known. Options for the command line come first. */
  repeat(): { readonly repeat: number; readonly fault?: string } {
    const commandLine = fieldOf(this.#root, 'commandLineOptions')?.value;
    const options = fieldOf(this.#root, 'evaluateOptions')?.value;
    const faults = [
      commandLine && this.#mappingFault(commandLine, 'commandLineOptions', false),
      commandLine && this.#beyond(commandLine, ofCommandLine),
      options && this.#mappingFault(options, 'evaluateOptions', false),
    ];
    const fault = faults.find((each) => each !== undefined);
    if (fault !== undefined) return { repeat: 1, fault };
    const [repeat] = [commandLine, options].flatMap((each) => (each && fieldOf(each, 'repeat')?.value) ?? []);
    if (repeat === undefined) return { repeat: 1 };
    const { plain } = repeat;
    if (typeof plain === 'number' && isWithin(plain, { integer: true, min: 1, max: maxRepeat }))
      return { repeat: plain };
    return { repeat: 1, fault: this.#remark(repeat, 'error', wholeNumberUpTo(maxRepeat)) };
  }

  /** @param noModel why none of them can be sent */
  cases(noModel: string | undefined): readonly CheckCase[] {
    const options = fieldOf(this.#root, 'evaluateOptions')?.value;
    const ofOptions = options && this.#beyond(options, ofEvaluation);
    const beyond = this.#beyond(this.#root, [...ofFile, ...harmless]) ?? ofOptions ?? noModel;
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
    const parts = defaults === undefined || defaults.plain === null ? [test] : [defaults, test];
    // Errors in the defaults are reported once.
    const isFirst = { common: index === 0 && prompt.number === 1, own: prompt.number === 1 };
    const isQuiet = (part: Located) => !(part === test ? isFirst.own : isFirst.common);
    let notRun = beyond ?? prompt.notRun;
    const vars: Record<string, string> = {};
    for (const part of parts) {
      const quiet = isQuiet(part);
      const { vars: given, options, threshold } = testFields(part);
      // All of them are marked, and the first is the reason.
      const faults = [
        this.#mappingFault(part, part === test ? 'tests' : 'defaultTest', quiet),
        this.#beyond(part, ofTest, quiet),
        given && this.#mappingFault(given, 'vars', quiet),
        options && this.#mappingFault(options, 'options', quiet),
        options && this.#optionsFault(options, quiet),
        threshold && typeof threshold.plain !== 'number'
          ? this.#remark(threshold, 'error', l10n.t('Enter a number, 0 or more.'), quiet)
          : undefined,
      ];
      for (const { name, value } of given?.fields ?? []) {
        const text = this.#varOf(value);
        if (text === undefined) faults.push(this.#remark(value, 'error', this.#whyNot(value, `vars.${name}`), quiet));
        else vars[name] = text;
      }
      notRun ??= faults.find((fault) => fault !== undefined);
    }
    const judge = parts.map((part) => this.#judgeOf(part)).findLast((known) => known !== undefined) ?? {
      fault: l10n.t('Name the model that judges: add "provider: openai:chat:<model>".'),
    };
    const sources = { vars, files: this.#files, judge, judgeOf };
    const read = parts.map((part) =>
      readExpectations(fieldOf(part, 'assert')?.value, sources, this.#reading, isQuiet(part)),
    );
    const threshold = parts
      .map((part) => fieldOf(part, 'threshold')?.value.plain)
      .findLast((limit) => typeof limit === 'number');
    for (const each of read) {
      notRun ??= each.notRun;
      if (each.notRun !== undefined) this.#reading.remarkUnlessSaid(test, each.notRun);
    }
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
    if (items.length === 0) {
      const at = list ?? fieldOf(this.#root, 'tests')?.at ?? { from: 0, to: 1 };
      this.#remark(at, 'error', l10n.t('There are no prompts. Add "prompts:".'));
    }
    return items.map((item, index) => {
      const written = item.fields === undefined ? item : (fieldOf(item, 'raw')?.value ?? fieldOf(item, 'id')?.value);
      const label = fieldOf(item, 'label')?.value.plain;
      const number = index + 1;
      const named = { number, label: typeof label === 'string' ? label : l10n.t('Prompt {0}', number) };
      const template = written === undefined ? undefined : this.#promptText(written);
      const beyond = this.#beyond(item, ofPrompt);
      if (template !== undefined)
        return { ...named, input: { kind: 'prompt', template }, ...(beyond !== undefined && { notRun: beyond }) };
      const notRun = this.#remark(item, 'error', this.#whyNot(written ?? item, 'prompts'));
      return { ...named, input: { kind: 'prompt', template: '' }, notRun };
    });
  }

  /** Why a text isn't used: its file can't be read, or this kind isn't supported. */
  #whyNot({ plain }: Located, name: string): string {
    const read = typeof plain === 'string' ? this.#files.get(plain) : undefined;
    return read !== undefined && 'fault' in read ? read.fault : notSupported(name);
  }

  #promptText({ plain }: Located): string | undefined {
    if (typeof plain !== 'string') return undefined;
    if (!plain.startsWith('file://')) return isPromptPath(plain) ? undefined : plain;
    const read = this.#files.get(plain);
    if (read === undefined || 'fault' in read) return undefined;
    return plain.endsWith('.txt') ? promptOfText(read.value) : plain.endsWith('.md') ? read.value : undefined;
  }

  #varOf({ plain }: Located): string | undefined {
    if (typeof plain === 'number' || typeof plain === 'boolean') return String(plain);
    if (typeof plain !== 'string') return undefined;
    if (!plain.startsWith('file://')) return /\{[{%#]/.test(plain) ? undefined : plain;
    const read = this.#files.get(plain);
    return read !== undefined && 'value' in read && plain.endsWith('.txt') ? read.value.trim() : undefined;
  }

  /** The judge of llm-rubric, or why it can't be used. */
  #judgeOf(part: Located): Filled<string> | undefined {
    const { options } = testFields(part);
    const provider = options && fieldOf(options, 'provider')?.value;
    return provider && judgeOf(provider);
  }

  #optionsFault(options: Located, isQuiet: boolean): string | undefined {
    // A parameter that isn't a number would be left out.
    const numbers = chatParameterFields.filter((name) => typeof fieldOf(options, name)?.value.plain === 'number');
    return this.#beyond(options, ['provider', ...numbers], isQuiet);
  }

  /** A value that isn't a mapping, for example a file, has no fields: its content would be missing. */
  #mappingFault(value: Located, name: string, isQuiet: boolean): string | undefined {
    const isRead = value.fields !== undefined || value.plain === null;
    return isRead ? undefined : this.#remark(value, 'error', notSupported(name), isQuiet);
  }

  /** The first field that changes what's sent or how it's judged in an unsupported way. */
  #beyond(of: Located, known: readonly string[], isQuiet = false): string | undefined {
    const beyond = fieldsBeyond(of, known);
    for (const { at, name } of beyond) this.#remark(at, 'error', notSupported(name), isQuiet);
    return beyond[0] && notSupported(beyond[0].name);
  }

  #remark(at: Place, severity: ChecksRemark['severity'], message: string, isQuiet = false): string {
    if (!isQuiet) this.#reading.remark(at, severity, message);
    return message;
  }
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

function testFields(part: Located): { readonly [N in 'vars' | 'options' | 'threshold']: Located | undefined } {
  const of = (name: string) => fieldOf(part, name)?.value;
  return { vars: of('vars'), options: of('options'), threshold: of('threshold') };
}

/**
 * Whether promptfoo reads a prompt from somewhere else instead of sending this text: `maybeFilePath` of its
 * `prompts/utils.ts`, with what it loads in other ways.
 */
function isPromptPath(text: string): boolean {
  if (/^(?:exec|python|package):|^[a-z][a-z\d+.-]*:\/\//i.test(text)) return true;
  if (/\n|(?:portkey|langfuse|helicone):\/\//.test(text)) return false;
  const [name, path] = text.split(':').toReversed();
  return (
    endings.some((ending) => name?.endsWith(ending) === true || path?.endsWith(ending) === true) ||
    text.at(-3) === '.' ||
    text.at(-4) === '.' ||
    /[*/\\]/.test(text)
  );
}

/** The only prompt in a text file. Undefined if the file has several, which a line of dashes separates, or none. */
function promptOfText(text: string): string | undefined {
  const lines = text.split(/\r?\n/);
  const prompt = lines.join('\n').trim();
  return prompt === '' || lines.some((line) => line.trim() === '---') ? undefined : prompt;
}
