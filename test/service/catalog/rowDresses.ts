import type { ModelDefinition, ModelKind } from '../models/modelDefinition.ts';

/** All local models are as old as the service itself. */
const createdAtSeconds = Date.UTC(2025, 0, 1) / 1000;

const modalities: Readonly<Record<ModelKind, { readonly input: readonly string[]; readonly output: string }>> = {
  chat: { input: ['text'], output: 'text' },
  multimodal: { input: ['text', 'image'], output: 'text' },
  image: { input: ['text'], output: 'image' },
  video: { input: ['text', 'image', 'audio'], output: 'video' },
  audio: { input: ['audio'], output: 'text' },
};

/** The forms in which catalogs of this kind have been seen. */
export const rowDresses = {
  /** Every field; prices as strings, in credits per token or request. */
  full: (model) => ({
    ...head(model),
    description: model.description,
    type: model.kind,
    context_length: model.contextWindow,
    max_output_tokens: model.maxOutputTokens,
    pricing: {
      prompt: decimal(model.price.perPromptToken),
      completion: decimal(model.price.perCompletionToken),
      request: decimal(model.price.perRequest),
      ...(model.price.perSecond === undefined ? {} : { second: decimal(model.price.perSecond) }),
    },
    ...(model.kind === 'video' && { default_parameters: { duration: 5, fps: 24 } }),
    architecture: {
      modality: `${modalities[model.kind].input.join('+')}->${modalities[model.kind].output}`,
      input_modalities: modalities[model.kind].input,
      output_modalities: [modalities[model.kind].output],
    },
  }),
  /** Prices as numbers, in credits per million tokens. */
  perMillion: (model) => ({
    ...head(model),
    description: model.description,
    type: model.kind,
    context_window: model.contextWindow,
    max_output_length: model.maxOutputTokens,
    pricing: { input: perMillion(model.price.perPromptToken), output: perMillion(model.price.perCompletionToken) },
  }),
  /** As inference engines list their models. */
  engine: (model) => ({
    ...head(model),
    max_model_len: model.contextWindow,
    root: model.id,
    parent: null,
    permission: [],
  }),
  /** Only what the list format requires. */
  bare: (model) => head(model),
  /** No prices, no kind except for the modality, and unknown fields. */
  strange: (model) => ({
    ...head(model),
    description: model.description,
    max_input_tokens: String(model.contextWindow),
    architecture: { modality: `${modalities[model.kind].input.join('+')}->${modalities[model.kind].output}` },
    quantization: 'none',
    aliases: [],
    retires_at: null,
    regions: [{ name: 'loopback', latency_ms: 0 }],
  }),
} as const satisfies Readonly<Record<string, (model: ModelDefinition) => object>>;

export type RowDress = keyof typeof rowDresses;

function head({ id }: ModelDefinition): object {
  return { id, object: 'model', created: createdAtSeconds, owned_by: id.split('/', 1)[0] };
}

/** Without an exponent, which `String` would use for small numbers. */
function decimal(value: number): string {
  return value.toFixed(12).replace(/\.?0+$/, '');
}

function perMillion(value: number): number {
  return Number((value * 1e6).toPrecision(9));
}
