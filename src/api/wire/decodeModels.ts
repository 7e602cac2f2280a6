import { ApiError } from '../apiError.ts';
import { amount, nonEmptyString, type JsonObject } from './decode.ts';
import { decodeErrorEnvelope } from './errorEnvelope.ts';
import { sampleOf } from './sample.ts';
import { isRecord } from '../../shared/isRecord.ts';

/** A row of the service's model list. Only `id` is guaranteed. */
export interface ModelInfo {
  /** `<provider>/<model>`, sent unchanged. */
  readonly id: string;
  readonly ownedBy?: string;
  /** In tokens. */
  readonly contextWindow?: number;
  /** In tokens. */
  readonly maxOutputTokens?: number;
  /** `chat`, `image`, `video`, `audio` …, if the model list says so. */
  readonly kind?: string;
  readonly inputModalities?: readonly string[];
  readonly outputModalities?: readonly string[];
  /** Currency units per million tokens. */
  readonly inputPricePerMillion?: number;
  readonly outputPricePerMillion?: number;
  /** Everything the service sent for this model, for the details page. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/**
 * Decodes a model list in any of the shapes that services send: `{data:[…]}`, a plain list, `{models:[…]}`, or
 * `{data:{models:[…]}}`, with rows as objects or as plain IDs. Rows without an ID are skipped, and the first of several
 * rows with the same ID counts.
 * @throws {ApiError} `streamError` for an error envelope, `malformed` for anything without a list, and for a list in
 * which no row is a model.
 */
export function decodeModels(json: unknown): readonly ModelInfo[] {
  const rows = listIn(json, 0);
  if (rows === undefined) {
    if (isRecord(json) && json['error'] !== undefined && json['error'] !== null) {
      throw new ApiError({ kind: 'streamError', ...decodeErrorEnvelope(json) });
    }
    throw new ApiError({ kind: 'malformed', where: 'body', sample: sampleOf(JSON.stringify(json)) });
  }
  const byId = new Map<string, ModelInfo>();
  for (const row of rows) {
    const model = decodeModel(row);
    if (model !== undefined && !byId.has(model.id)) byId.set(model.id, model);
  }
  if (rows.length > 0 && byId.size === 0) {
    throw new ApiError({ kind: 'malformed', where: 'body', sample: sampleOf(JSON.stringify(json)) });
  }
  return [...byId.values()];
}

const contextFields = [
  'context_length',
  'context_window',
  'loaded_context_length',
  'max_context_length',
  'max_model_len',
  'max_input_tokens',
];

/**
 * Where llama.cpp's server puts what it knows about a model. `n_ctx_train` is the length that the model was trained
 * with; the server's own limit is often lower.
 */
function metaOf(raw: JsonObject): JsonObject {
  return isRecord(raw['meta']) ? raw['meta'] : {};
}

/** How LM Studio has loaded a model: its context window is smaller than the model's own unless someone changed that. */
function loadedConfigOf(raw: JsonObject): JsonObject {
  const instances = raw['loaded_instances'];
  const first: unknown = Array.isArray(instances) ? instances[0] : undefined;
  return isRecord(first) && isRecord(first['config']) ? first['config'] : {};
}

/** LM Studio and Mistral say only whether a model accepts images. */
function inputBySight(raw: JsonObject): readonly string[] | undefined {
  const sees = isRecord(raw['capabilities']) ? raw['capabilities']['vision'] : undefined;
  return typeof sees === 'boolean' ? ['text', ...(sees ? ['image'] : [])] : undefined;
}

function listIn(json: unknown, depth: number): readonly unknown[] | undefined {
  if (Array.isArray(json)) return json;
  if (!isRecord(json) || depth > 1) return undefined;
  return listIn(json['data'], depth + 1) ?? listIn(json['models'], depth + 1);
}

function decodeModel(row: unknown): ModelInfo | undefined {
  const raw: JsonObject | undefined = typeof row === 'string' ? { id: row } : isRecord(row) ? row : undefined;
  if (raw === undefined) return undefined;
  const id = firstString(raw, ['id', 'key', 'model', 'name']);
  if (id === undefined) return undefined;

  const architecture = isRecord(raw['architecture']) ? raw['architecture'] : {};
  const modality = modalitiesOf(architecture['modality'] ?? raw['modality']);
  const input =
    strings(raw['input_modalities'] ?? architecture['input_modalities']) ?? modality?.input ?? inputBySight(raw);
  const output = strings(raw['output_modalities'] ?? architecture['output_modalities']) ?? modality?.output;
  const ownedBy = firstString(raw, ['owned_by', 'owner', 'organization', 'provider']);
  const contextWindow =
    firstCount(loadedConfigOf(raw), ['context_length']) ??
    firstCount(raw, contextFields) ??
    firstCount(metaOf(raw), ['n_ctx']);
  const maxOutputTokens = firstCount(raw, ['max_output_length', 'max_output_tokens']);
  const kind = nonEmptyString(raw['type']) ?? kindByOutput(output);
  const pricing = isRecord(raw['pricing']) ? raw['pricing'] : {};
  const inputPrice = firstPrice(pricing, ['prompt', 'input']);
  const outputPrice = firstPrice(pricing, ['completion', 'output']);
  return {
    id,
    ...(ownedBy === undefined ? {} : { ownedBy }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(kind === undefined ? {} : { kind }),
    ...(input === undefined ? {} : { inputModalities: input }),
    ...(output === undefined ? {} : { outputModalities: output }),
    ...(inputPrice === undefined ? {} : { inputPricePerMillion: inputPrice }),
    ...(outputPrice === undefined ? {} : { outputPricePerMillion: outputPrice }),
    raw,
  };
}

function firstString(raw: JsonObject, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const text = nonEmptyString(raw[field]);
    if (text !== undefined && text.trim() !== '') return text;
  }
  return undefined;
}

/** Token counts: whole numbers above 0, also as text. */
function firstCount(raw: JsonObject, fields: readonly string[]): number | undefined {
  for (const field of fields) {
    const value = raw[field];
    const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    if (typeof count === 'number' && Number.isSafeInteger(count) && count > 0) return count;
  }
  return undefined;
}

/** Texts are prices per token, numbers are prices per million. */
function firstPrice(pricing: JsonObject, fields: readonly string[]): number | undefined {
  for (const field of fields) {
    const value = pricing[field];
    if (typeof value === 'string' && value.trim() !== '') {
      const perToken = amount(Number(value));
      // Multiplied by a million, binary fractions have noise in their last digits.
      if (perToken !== undefined) return Number((perToken * 1e6).toPrecision(12));
    }
    const perMillion = amount(value);
    if (perMillion !== undefined) return perMillion;
  }
  return undefined;
}

function strings(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((each) => typeof each === 'string' && each !== '');
  return texts.length === 0 ? undefined : texts;
}

/** `text+image->text`. */
function modalitiesOf(
  value: unknown,
): { readonly input: readonly string[]; readonly output: readonly string[] } | undefined {
  if (typeof value !== 'string') return undefined;
  const [input, output] = value.split('->', 2).map((side) =>
    side
      .split('+')
      .map((word) => word.trim())
      .filter(Boolean),
  );
  if (input === undefined || output === undefined || input.length === 0 || output.length === 0) return undefined;
  return { input, output };
}

function kindByOutput(output: readonly string[] | undefined): string | undefined {
  if (output === undefined) return undefined;
  return output.includes('text') ? 'chat' : output[0];
}
