import type { IncomingMessage } from 'node:http';
import { readBody } from '../readBody.ts';
import { invalid, readChoice, readModelName } from '../requestFields.ts';
import { ServiceError } from '../serviceError.ts';

/** A checked form with audio. */
export interface TranscriptionForm {
  readonly model: string;
  readonly bytes: Buffer;
  readonly fileName: string;
  /** As the client named it; empty if it didn't. */
  readonly mediaType: string;
  /** Undefined leaves the choice to the model. */
  readonly answer: (typeof answers)[number] | undefined;
}

const answers = ['json', 'verbose_json', 'text'] as const;

/** Reads a multipart form with `file` and `model`. @throws {ServiceError} 400 with the offending field */
export async function readTranscriptionForm(request: IncomingMessage): Promise<TranscriptionForm> {
  const body = await readBody(request);
  const form = await parseForm(body, request.headers['content-type'] ?? '');
  const model = readModelName(form.get('model') ?? undefined);
  const file = form.get('file');
  if (file === null) throw invalid('file', 'is required.');
  if (typeof file === 'string') throw invalid('file', 'must be a file, with a file name.');
  if (file.size === 0) throw invalid('file', 'must not be empty.');
  const wanted = form.get('response_format') ?? undefined;
  return {
    model,
    bytes: Buffer.from(await file.arrayBuffer()),
    fileName: file.name,
    mediaType: file.type,
    answer: wanted === undefined ? undefined : readChoice('response_format', wanted, answers, 'json'),
  };
}

async function parseForm(body: Buffer<ArrayBuffer>, contentType: string): Promise<FormData> {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw new ServiceError(400, 'The Content-Type must be multipart/form-data.');
  }
  try {
    return await new Response(body, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new ServiceError(400, 'The body is not a valid form.');
  }
}
