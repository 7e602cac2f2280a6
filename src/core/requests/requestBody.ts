import * as v from 'valibot';
import { recordIn } from '../recordLine.ts';

/** What was sent: the request as it was on the wire, without its headers. */
export interface SentBody {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** JSON as it was sent; for a form, its fields, and the name, type, and size of its file. Absent for a GET. */
  readonly body?: unknown;
  /** Something was left out of the body: an image in one of its messages. */
  readonly isPartial?: boolean;
  /** It was sent without a key, because the service needs none. */
  readonly isKeyless?: boolean;
}

/** The response, assembled from the stream or read as a whole. */
export type ReceivedBody = Readonly<Record<string, unknown>>;

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));

const bodySchema = v.variant('part', [
  v.object({
    id,
    part: v.literal('request'),
    content: v.object({
      method: v.picklist(['GET', 'POST']),
      url: v.string(),
      body: v.exactOptional(v.unknown()),
      isPartial: v.exactOptional(v.boolean()),
      isKeyless: v.exactOptional(v.boolean()),
    }),
  }),
  v.object({ id, part: v.literal('response'), content: v.record(v.string(), v.unknown()) }),
]);

/** One line of the file of bodies, which is next to the history's own file and only read for one request at a time. */
export type BodyRecord =
  | { readonly id: string; readonly part: 'request'; readonly content: SentBody }
  | { readonly id: string; readonly part: 'response'; readonly content: ReceivedBody };

/** Starts with {@link bodyLineStart}, which finds a line without parsing all the others. */
export function encodeBody({ id: requestId, part, content }: BodyRecord): string {
  return `${bodyLineStart(requestId)},"part":"${part}","content":${JSON.stringify(content)}}`;
}

export function bodyLineStart(requestId: string): string {
  return `{"id":${JSON.stringify(requestId)}`;
}

export function decodeBody(line: string): BodyRecord | undefined {
  return recordIn(line, bodySchema);
}
