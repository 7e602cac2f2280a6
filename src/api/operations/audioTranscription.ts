import { amount, isObject, nonEmptyString } from '../decode.ts';
import { looksLikeHtml } from '../errorBody.ts';
import type { Transcript, TranscriptionRequest, TranscriptSegment } from '../mediaTypes.ts';
import { multipartBody } from '../multipartBody.ts';
import { textBytes, type WholeOperation } from '../operation.ts';
import type { ApiForm } from '../types.ts';
import { jsonOf, malformedAnswer, ofRequest, type WholeAnswer } from '../wholeAnswer.ts';

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

/** JSON with `text`, `segments` in its verbose form; plain text where that was asked for. */
function decodeTranscript(answer: WholeAnswer): Transcript {
  const plain = plainTextOf(answer);
  if (plain !== undefined) return { text: plain, segments: [], ...ofRequest(answer) };
  const json = jsonOf(answer);
  if (!isObject(json)) throw malformedAnswer(answer, json);
  const segments = Array.isArray(json['segments']) ? json['segments'].flatMap((each: unknown) => segmentOf(each)) : [];
  const text = typeof json['text'] === 'string' ? json['text'] : joined(segments);
  if (text === undefined) throw malformedAnswer(answer, json);
  const language = nonEmptyString(json['language']);
  const durationSeconds = amount(json['duration']);
  return {
    text,
    segments,
    ...(language === undefined ? {} : { language }),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...ofRequest(answer),
  };
}

function plainTextOf(answer: WholeAnswer): string | undefined {
  if (!/^text\/plain\b/i.test(answer.header('content-type') ?? '')) return undefined;
  const text = new TextDecoder().decode(answer.body).trim();
  // Some services call JSON, and some proxies call pages, plain text.
  return text === '' || text.startsWith('{') || looksLikeHtml(text) ? undefined : text;
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
