import * as l10n from '@vscode/l10n';
import {
  type ChatNumbers,
  chatNumberFields,
  chatNumbers,
  chatParameterFields,
  chatParameters,
} from '../../../shared/chatParameters.ts';
import type { PromptOptions } from '../../prompts/promptDefinition.ts';
import { maxModels, type WantedModels } from '../checksFile.ts';
import type { ChecksReading } from '../checksReading.ts';
import { fieldOf, type Located, type LocatedField, type Place } from '../locatedYaml.ts';
import { type Filled, notSupported } from '../slotsOfValue.ts';

/** Fields of a model. `delay` only says when it's asked, and `label` how it's shown. */
const ofModel = ['id', 'label', 'config', 'env', 'delay'];
/** Fields of a model's `config` that change nothing about its replies. */
const connection = [
  'apiKey',
  'apiKeyEnvar',
  'apiKeyRequired',
  'apiHost',
  'apiBaseUrl',
  'organization',
  'headers',
  'maxRetries',
  'cost',
  'inputCost',
  'outputCost',
];

/** The models of a `promptfooconfig.yaml`, and the parameters that they have in common. */
export class PromptfooModels {
  readonly #list: Located | undefined;
  readonly #items: readonly Located[];

  constructor(root: Located) {
    this.#list = (fieldOf(root, 'providers') ?? fieldOf(root, 'targets'))?.value;
    this.#items = this.#list === undefined ? [] : (this.#list.items ?? [this.#list]);
  }

  /** Those that can be used. The others are marked. */
  wanted(reading: ChecksReading): readonly WantedModels[] {
    const list = this.#list;
    if (list === undefined) return [];
    if (this.#items.length > maxModels)
      reading.remark(list, 'error', l10n.t('Only the first {0} models are read.', maxModels));
    if (this.#items.length === 0) reading.remark(list, 'error', noModel());
    return this.#items.slice(0, maxModels).flatMap((item): readonly WantedModels[] => {
      for (const { at } of ignoredIn(item))
        reading.remark(at, 'warning', l10n.t('Ignored. Parlance uses your own settings.'));
      const faults = this.#faultsOf(item);
      for (const { at, message } of faults) reading.remark(at, 'error', message);
      const model = modelOfProvider(item);
      return 'fault' in model || faults.length > 0 ? [] : [{ pattern: model.value, from: item.from, to: item.to }];
    });
  }

  /**
   * Why no case can be run: the file names models, but none of them can be used, and no other model may take their
   * place.
   */
  notRun(): string | undefined {
    if (this.#list === undefined) return undefined;
    const faults = this.#items.map((item) => this.#faultsOf(item)[0]?.message);
    return faults.includes(undefined) ? undefined : (faults[0] ?? noModel());
  }

  /** The parameters that all models have in common; a model's own parameters aren't supported. */
  options(): PromptOptions {
    const [first, ...others] = this.#items.map(numbersOfItem);
    return first !== undefined && others.every((each) => isSame(each, first)) ? first : {};
  }

  /** Why a model isn't run: it would be asked for something other than what the file says. */
  #faultsOf(item: Located): readonly { readonly at: Place; readonly message: string }[] {
    const config = fieldOf(item, 'config')?.value;
    const model = modelOfProvider(item);
    const numbers = numbersOfItem(item);
    const ownNumbers = isSame(numbers, this.options()) ? [] : chatParameterFields;
    const isRead = (name: string) => connection.includes(name) || Object.hasOwn(chatNumberFields(numbers), name);
    return [
      ...fieldsBeyond(item, ofModel).map(({ at, name }) => ({ at, message: notSupported(name) })),
      ...(config === undefined || config.fields !== undefined || config.plain === null
        ? []
        : [{ at: config, message: notSupported('config') }]),
      ...(config === undefined ? [] : beyondOurs(config)).flatMap(({ at, name }) => {
        if (!isRead(name)) return [{ at, message: notSupported(name) }];
        if (!ownNumbers.some((each) => each === name)) return [];
        return [{ at, message: l10n.t("This model isn't run, because another one has different parameters.") }];
      }),
      ...('fault' in model ? [{ at: idOf(item) ?? item, message: model.fault }] : []),
    ];
  }
}

/** Where a model is and who pays for it: the user's own settings decide that. */
function ignoredIn(item: Located): readonly LocatedField[] {
  const config = fieldOf(item, 'config')?.value;
  const env = fieldOf(item, 'env');
  return [
    ...(config?.fields ?? []).filter(({ name }) => connection.includes(name)),
    ...(env === undefined ? [] : [env]),
  ];
}

function numbersOfItem(item: Located): ChatNumbers {
  const config = fieldOf(item, 'config')?.value;
  return config === undefined ? {} : numbersIn(config);
}

/** The model that a provider names, as text or as a mapping with an `id`, or why it can't be used. */
function modelOfProvider(provider: Located): Filled<string> {
  const model = openAiModel(idOf(provider)?.plain);
  return model === undefined ? { fault: noModel() } : { value: model };
}

/** The same for a model that judges, which is asked in Parlance's own way, with a temperature of 0. */
export function judgeOf(provider: Located): Filled<string> {
  const config = fieldOf(provider, 'config')?.value;
  const own = (config === undefined ? [] : beyondOurs(config)).filter(
    ({ name, value }) => !(name === 'temperature' && value.plain === 0),
  );
  const [beyond] = [...fieldsBeyond(provider, ofModel), ...own];
  return beyond === undefined ? modelOfProvider(provider) : { fault: notSupported(beyond.name) };
}

export function fieldsBeyond(of: Located, known: readonly string[]): readonly LocatedField[] {
  return (of.fields ?? []).filter(({ name }) => !known.includes(name));
}

export function numbersIn(fields: Located): ChatNumbers {
  return chatNumbers((name) => fieldOf(fields, chatParameters[name].wire)?.value.plain);
}

/**
 * What an exported configuration says about each model. Without it, promptfoo adds parameters of its own, and a service
 * might stream what promptfoo reads whole.
 */
export const exportedConfig = { omitDefaults: true, passthrough: { stream: false } } as const;
const ours: Readonly<Record<string, unknown>> = exportedConfig;

function beyondOurs(config: Located): readonly LocatedField[] {
  return (config.fields ?? []).filter(({ name, value }) => !isSame(value.plain, ours[name]));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function idOf(provider: Located): Located | undefined {
  return provider.fields === undefined ? provider : fieldOf(provider, 'id')?.value;
}

function noModel(): string {
  return l10n.t('Only models of the OpenAI API are run, for example "openai:chat:<model>".');
}

/** The service's own ID in `openai:chat:<id>`. */
function openAiModel(provider: unknown): string | undefined {
  if (typeof provider !== 'string') return undefined;
  const [, model] = /^openai:(?:chat:)?([^\s:][^\s]*)$/.exec(provider) ?? [];
  return model === undefined ||
    /^(?:completion|embedding|image|realtime|responses|assistant|moderation)(?::|$)/.test(model)
    ? undefined
    : model;
}
