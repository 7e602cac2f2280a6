import { amount, isObject, nonEmptyString } from '../wire/decode.ts';
import { looksLikeHtml } from '../wire/errorBody.ts';
import type { Transcript, TranscriptionRequest, TranscriptSegment } from '../mediaTypes.ts';
import { multipartBody } from './multipartBody.ts';
import { textBytes, type WholeOperation } from './operation.ts';
import { parseJson } from '../wire/parseJson.ts';
import type { ApiForm } from '../types.ts';
import { jobError, jsonOf, malformedAnswer, ofRequest, type WholeAnswer } from '../wire/wholeAnswer.ts';

/**
 * The native `POST {native_url}/v1/svcai/audio/transcribe`, or `POST {base_url}/audio/transcriptions`
 * of compatible services, as a multipart form.
 */
export function audioTranscription(request: TranscriptionRequest, api: ApiForm): WholeOperation<Transcript> {
  const { model, file, response_format } = request;
  return {
    api,
    path: api === 'native' ? '/v1/{segment}/audio/transcribe' : '/audio/transcriptions',
    method: 'POST',
    accept: 'application/json, text/plain',
    body: multipartBody({ model, ...(response_format === undefined ? {} : { response_format }) }, { file }),
    patience: 'transcription',
    retried: 'media',
    answerBytes: textBytes,
    decode: decodeTranscript,
  };
}

/** JSON with `text`, `segments` in its verbose form, text elsewhere in it; or the text itself, subtitles too. */
function decodeTranscript(answer: WholeAnswer): Transcript {
  const plain = plainTextOf(answer);
  if (plain !== undefined) return { text: plain, segments: [], ...ofRequest(answer) };
  const json = jsonOf(answer);
  const fields = isObject(json) ? json : {};
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
    ...ofRequest(answer),
  };
}

const textFields = ['text', 'transcript', 'transcription', 'transcribed_text'];
const nestedFields = ['result', 'results', 'data', 'output', 'transcription', 'transcript'];

/** It was paid for: it is looked for wherever services were seen to put it. */
function textIn(json: unknown, depth: number): string | undefined {
  if (typeof json === 'string') return json;
  if (Array.isArray(json)) return json.length === 1 ? textIn(json[0], depth + 1) : undefined;
  if (!isObject(json) || depth > 2) return undefined;
  for (const field of textFields) if (typeof json[field] === 'string') return json[field];
  for (const field of nestedFields) {
    const text = textIn(json[field], depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The beginning of JSON, or of a stream of events. */
const notWords = /^(?:[{["]|:|(?:data|event|error|id|retry):)/;

/** Some services call JSON, and some proxies call pages, plain text; some call text by no name, or by a wrong one. */
function plainTextOf(answer: WholeAnswer): string | undefined {
  const text = new TextDecoder().decode(answer.body).trim();
  if (text === '' || text.includes('\0') || looksLikeHtml(text) || notWords.test(text)) return undefined;
  const contentType = answer.header('content-type') ?? '';
  return /\bhtml\b/i.test(contentType) || parseJson(text) !== undefined ? undefined : text;
}

function segmentOf(value: unknown): readonly TranscriptSegment[] {
  if (!isObject(value)) return [];
  const { text } = value;
  const startSeconds = amount(value['start']);
  const endSeconds = amount(value['end']);
  if (typeof text !== 'string' || startSeconds === undefined || endSeconds === undefined) return [];
  return [{ startSeconds, endSeconds, text }];
}

function joined(segments: readonly TranscriptSegment[]): string | undefined {
  return segments.length === 0 ? undefined : segments.map(({ text }) => text.trim()).join(' ');
}
