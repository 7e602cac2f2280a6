import type { WireModel } from '../../shared/modelRef.ts';
import { amount, nonEmptyString } from '../wire/decode.ts';
import { looksLikeHtml } from '../wire/errorBody.ts';
import { multipartBody } from './multipartBody.ts';
import { type ApiPaths, definedFields, type KeptBody, textBytes, type WholeOperation } from './operation.ts';
import { parseJson } from '../wire/parseJson.ts';
import { jobError, jsonOf, malformedAnswer, requestIdField, type WholeAnswer } from '../wire/wholeAnswer.ts';
import { isRecord } from '../../shared/isRecord.ts';

/** An audio file to transcribe. Kept in memory until the response has arrived. */
export interface TranscriptionRequest {
  readonly model: WireModel;
  readonly file: {
    /** Services detect the format from the name's extension. */
    readonly name: string;
    /** For example `audio/wav`. */
    readonly mediaType: string;
    readonly bytes: Uint8Array;
  };
  /** `verbose_json` asks for segments if the service supports that. Not sent if absent. */
  readonly response_format?: string;
}

export interface Transcription {
  readonly text: string;
  /** Empty if the service sent none. */
  readonly segments: readonly TranscriptSegment[];
  readonly language?: string;
  readonly durationSeconds?: number;
  readonly requestId?: string;
}

export interface TranscriptSegment {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly text: string;
}

export const transcriptionPaths: ApiPaths = {
  native: '/v1/{segment}/audio/transcribe',
  compatible: '/audio/transcriptions',
};

/**
 * The native `POST {native_url}/v1/svcai/audio/transcribe`, or `POST {base_url}/audio/transcriptions`
 * of compatible services, as a multipart form.
 */
export function audioTranscription(request: TranscriptionRequest): WholeOperation<Transcription, 'audio'> {
  const { model, file, ...fields } = request;
  return {
    name: 'audio',
    model,
    paths: transcriptionPaths,
    capability: 'audio',
    method: 'POST',
    accept: 'application/json, text/plain',
    body: () => multipartBody({ model, ...fields }, { file }),
    patience: 'transcription',
    retried: 'media',
    answerBytes: textBytes,
    decode: decodeTranscript,
    kept: keptTranscript,
    keptForm: { model, ...fields, file: { name: file.name, media_type: file.mediaType, bytes: file.bytes.length } },
  };
}

function keptTranscript({ text, segments, language, durationSeconds }: Transcription): KeptBody {
  const rows = segments.map(({ startSeconds, endSeconds, text: words }) => ({
    start: startSeconds,
    end: endSeconds,
    text: words,
  }));
  return {
    text,
    ...definedFields({ language, duration: durationSeconds }),
    ...(rows.length > 0 && { segments: rows }),
  };
}

/**
 * Accepts JSON with `text`, with `segments` in its verbose form, or with the text elsewhere. Also accepts plain text
 * and subtitles.
 */
function decodeTranscript(answer: WholeAnswer): Transcription {
  const plain = plainTextOf(answer);
  if (plain !== undefined) return { text: plain, segments: [], ...requestIdField(answer) };
  const json = jsonOf(answer);
  const fields = isRecord(json) ? json : {};
  const segments = Array.isArray(fields['segments'])
    ? fields['segments'].flatMap((each: unknown) => segmentOf(each))
    : [];
  const text = textIn(json, 0) ?? joined(segments);
  if (text === undefined) throw jobError(answer, json) ?? malformedAnswer(answer, json);
  const language = nonEmptyString(fields['language']);
  const durationSeconds = amount(fields['duration']);
  return {
    text,
    segments,
    ...(language === undefined ? {} : { language }),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...requestIdField(answer),
  };
}

const textFields = ['text', 'transcript', 'transcription', 'transcribed_text'];
const nestedFields = ['result', 'results', 'data', 'output', 'transcription', 'transcript'];

/** It was paid for, so look in every place where services have been seen to put it. */
function textIn(json: unknown, depth: number): string | undefined {
  if (typeof json === 'string') return json;
  if (Array.isArray(json)) return json.length === 1 ? textIn(json[0], depth + 1) : undefined;
  if (!isRecord(json) || depth > 2) return undefined;
  for (const field of textFields) if (typeof json[field] === 'string') return json[field];
  for (const field of nestedFields) {
    const text = textIn(json[field], depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Matches the beginning of JSON, or of an event stream. */
const notWords = /^(?:[{["]|:|(?:data|event|error|id|retry):)/;

/**
 * Some services label JSON as plain text, and some proxies do the same with pages. Some services label text wrongly or
 * not at all.
 */
function plainTextOf(answer: WholeAnswer): string | undefined {
  const text = new TextDecoder().decode(answer.body).trim();
  if (text === '' || text.includes('\0') || looksLikeHtml(text) || notWords.test(text)) return undefined;
  const contentType = answer.header('content-type') ?? '';
  return /\bhtml\b/i.test(contentType) || parseJson(text) !== undefined ? undefined : text;
}

function segmentOf(value: unknown): readonly TranscriptSegment[] {
  if (!isRecord(value)) return [];
  const { text } = value;
  const startSeconds = amount(value['start']);
  const endSeconds = amount(value['end']);
  if (typeof text !== 'string' || startSeconds === undefined || endSeconds === undefined) return [];
  return [{ startSeconds, endSeconds, text }];
}

function joined(segments: readonly TranscriptSegment[]): string | undefined {
  return segments.length === 0 ? undefined : segments.map(({ text }) => text.trim()).join(' ');
}
