import * as v from 'valibot';

/** What was sent: the request as it went over the wire, but for its headers. */
export interface SentBody {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** JSON as it was sent; a form's fields, and of its file the name, type and size. Absent for a GET. */
  readonly body?: unknown;
  /** Something was left out of the body: a picture in one of its messages. */
  readonly isPartial?: boolean;
  /** It went without a key: the service needs none. */
  readonly isKeyless?: boolean;
}

/** What came back, put together from the stream, or as it was read from the answer. */
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

/** One line of the file of bodies, which lies beside the log's own and is read only for one request at a time. */
export type BodyRecord =
  | { readonly id: string; readonly part: 'request'; readonly content: SentBody }
  | { readonly id: string; readonly part: 'response'; readonly content: ReceivedBody };

/** Begins with {@link bodyLineStart}, by which a line is found without reading all the others. */
export function encodeBody({ id: requestId, part, content }: BodyRecord): string {
  return `${bodyLineStart(requestId)},"part":"${part}","content":${JSON.stringify(content)}}`;
}

export function bodyLineStart(requestId: string): string {
  return `{"id":${JSON.stringify(requestId)}`;
}

export function decodeBody(line: string): BodyRecord | undefined {
  try {
    const parsed = v.safeParse(bodySchema, JSON.parse(line));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
