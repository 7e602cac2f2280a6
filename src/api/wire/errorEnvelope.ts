import type { ErrorEnvelope } from '../../shared/apiFailure.ts';
import { nonEmptyString, type JsonObject } from './decode.ts';
import { parseJson } from './parseJson.ts';
import { cleanRequestId } from './requestId.ts';
import { isRecord } from '../../shared/isRecord.ts';

/** What some services put into `error` if there's none. */
function isNoError(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '';
}

/** Next to one of these fields, a `detail` isn't an error. */
const resultFields = ['choices', 'data', 'images', 'models', 'text', 'segments', 'output', 'video', 'usage'];

/** Whether JSON with a good status is an error anyway. */
export function hasError(json: JsonObject): boolean {
  const { error, detail } = json;
  if (json['object'] === 'error' || json['type'] === 'error') return true;
  // Some services have all error fields in every response, and leave them empty.
  if (!isNoError(error) && !(isBlankError(error) && isResult(json))) return true;
  return !isNoError(detail) && !isResult(json);
}

function isResult(json: JsonObject): boolean {
  return resultFields.some((field) => field in json);
}

/** An error inside a reply, in one choice or in a gateway's own part: OpenRouter and Groq send those. */
export function errorInside(json: JsonObject): JsonObject | undefined {
  const choices: readonly unknown[] = Array.isArray(json['choices']) ? json['choices'] : [];
  return choices.find(bearsError) ?? (bearsError(json['x_groq']) ? json['x_groq'] : undefined);
}

function bearsError(part: unknown): part is JsonObject {
  return isRecord(part) && !isNoError(part['error']) && !isBlankError(part['error']);
}

function isBlankError(error: unknown): boolean {
  return isRecord(error) && Object.values(error).every((value) => isNoError(value) || value === 0);
}

/**
 * The fields of an error body, from the envelope and from every broken form of it: a plain string, `detail`, a
 * `message` at the top, an `errors` list.
 * @param body parsed JSON.
 * @param headerRequestId used if the body has none.
 */
export function decodeErrorEnvelope(body: unknown, headerRequestId?: string): ErrorEnvelope {
  const outer: unknown = Array.isArray(body) ? body[0] : body;
  const top = isRecord(outer) ? outer : {};
  const error = top['error'];
  const inner = isRecord(error) ? error : top;
  const requestId = cleanRequestId(inner['request_id']) ?? cleanRequestId(top['request_id']) ?? headerRequestId;
  const type = typeOf(inner, top);
  const code = reasonsIn(inner['details']) ?? shortText(inner['code']);
  const param = shortText(inner['param']) ?? refusedField(top['detail']);
  return {
    message: errorMessage(body),
    ...(type === undefined ? {} : { type }),
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

/** A type that is a URL points to a page about HTTP. */
function typeOf(inner: JsonObject, top: JsonObject): string | undefined {
  const names = [inner['type'], inner['error_type'], top['error_type'], inner['status']];
  const type = names.map((name) => nonEmptyString(name)).find((name) => name !== undefined && !name.includes('://'));
  return shortText(type);
}

/** Google's services say more there than in their code, which is the status. */
function reasonsIn(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined;
  const reasons = details.map((detail: unknown) => (isRecord(detail) ? nonEmptyString(detail['reason']) : undefined));
  return shortText(reasons.find((reason) => reason !== undefined));
}

/** Message texts are displayed, so they're bounded. */
const messageLimit = 2000;

function errorMessage(body: unknown): string {
  const message = bestText(body, 0) ?? '';
  const reason = providerReason(body);
  return (reason === undefined ? message : `${message}: ${reason}`).slice(0, messageLimit);
}

/** A gateway to many providers reports that one of them failed, and puts the reason next to it. */
function providerReason(body: unknown): string | undefined {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const raw = isRecord(error['metadata']) ? error['metadata']['raw'] : undefined;
  return typeof raw === 'string' || isRecord(raw) ? bestText(raw, 0) : undefined;
}

const textFields = [
  'message',
  'Message',
  'error',
  'detail',
  'msg',
  'error_message',
  'error_description',
  'errorMessage',
  'error_msg',
  'faultstring',
  'fault',
  'errors',
  'description',
  'reason',
  'title',
];

/** Looks no deeper than the broken forms go, because JSON can be nested endlessly. */
function bestText(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return plainText(value.trim(), depth);
  if (depth > 4) return undefined;
  if (Array.isArray(value)) return bestText(value[0], depth + 1);
  if (!isRecord(value)) return undefined;
  if (isRecord(value['error'])) {
    const inner = bestText(value['error'], depth + 1);
    if (inner !== undefined) return inner;
  }
  for (const field of textFields) {
    if (field === 'title') {
      const first = firstOfMap(value['errors']);
      if (first !== undefined) return first;
    }
    const text = bestText(value[field], depth + 1);
    if (text === undefined) continue;
    return field === 'msg' ? withPlace(text, value['loc']) : text;
  }
  return undefined;
}

/** Some gateways pass the JSON of another service on as their message. */
function plainText(text: string, depth: number): string | undefined {
  const json = depth <= 4 && text.startsWith('{') ? parseJson(text) : undefined;
  const inner = json === undefined ? undefined : bestText(json, depth + 1);
  return inner ?? (text === '' ? undefined : text);
}

/** ASP.NET lists errors by field: `{"errors": {"model": ["The model field is required."]}}`. */
function firstOfMap(errors: unknown): string | undefined {
  if (!isRecord(errors)) return undefined;
  for (const [field, complaints] of Object.entries(errors)) {
    const text = Array.isArray(complaints) ? nonEmptyString(complaints[0]) : nonEmptyString(complaints);
    if (text !== undefined) return field === '' ? text : `${field.slice(0, 100)}: ${text}`;
  }
  return undefined;
}

/** FastAPI names what's wrong in a list next to the message: `["body", "messages", 0, "role"]`. */
function withPlace(text: string, loc: unknown): string {
  const place = placeOf(loc);
  return place === '' ? text : `${place}: ${text}`;
}

function placeOf(loc: unknown): string {
  if (!Array.isArray(loc)) return '';
  const steps = loc.filter((step) => typeof step === 'string' || typeof step === 'number');
  return (steps[0] === 'body' ? steps.slice(1) : steps).slice(0, 8).join('.').slice(0, 200);
}

function refusedField(detail: unknown): string | undefined {
  const first: unknown = Array.isArray(detail) ? detail[0] : undefined;
  const field = isRecord(first) ? placeOf(first['loc']).split('.')[0] : undefined;
  return field === undefined ? undefined : nonEmptyString(field);
}

function shortText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return nonEmptyString(value)?.slice(0, 200);
}
