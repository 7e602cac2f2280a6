import * as v from 'valibot';
import { recordIn, type Unstamped } from '../recordLine.ts';
import {
  type FieldRow,
  fieldsOf,
  longestAddress,
  longestPrompt,
  longestWord,
  madeTypes,
  type MediaInput,
  type MediaKind,
  mediaKinds,
  type MediaParameters,
} from '../../shared/media.ts';
import { failureSchema, numberSchema } from '../chat/conversationRecord.ts';
import { resultNames } from './resultName.ts';

const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const text = v.pipe(v.string(), v.maxLength(longestPrompt));
const word = v.pipe(v.string(), v.minLength(1), v.maxLength(longestWord));
const link = v.pipe(v.string(), v.maxLength(longestAddress));
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
const optionalCount = v.exactOptional(numberSchema('count'));

export const mediaInputSchema = v.variant('kind', [
  v.object({ kind: v.literal('address'), url: v.pipe(link, v.minLength(1)) }),
  v.object({
    kind: v.literal('file'),
    id,
    name: v.pipe(v.string(), v.maxLength(1024)),
    mediaType: v.pipe(v.string(), v.regex(/^[\w.+-]+\/[\w.+-]+$/)),
    sizeBytes: v.number(),
  }),
]) satisfies v.GenericSchema<MediaInput>;

/** The parameters of a request, as stored in a file or received from a page. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table gives each field its name and its type
export const mediaParametersSchema = v.variant(
  'kind',
  mediaKinds.map((kind) => v.object({ kind: v.literal(kind), model: word, ...schemasOf(kind) })),
) as v.GenericSchema as v.GenericSchema<MediaParameters>;

function schemasOf(kind: MediaKind): v.ObjectEntries {
  const schemas = fieldsOf(kind).map((row) => {
    if (row.type === 'size') return { width: optionalCount, height: optionalCount };
    const schema = schemaOf(row);
    return { [row.name]: row.type === 'prompt' && row.isNeeded ? schema : v.exactOptional(schema) };
  });
  return Object.assign({}, ...schemas);
}

function schemaOf(row: Exclude<FieldRow, { type: 'size' }>): v.GenericSchema {
  switch (row.type) {
    case 'prompt':
      return text;
    case 'word':
      return word;
    case 'number':
      return numberSchema(row.kind);
    case 'input':
      return mediaInputSchema;
    case 'choice':
      return v.boolean();
  }
}

const written = { id, writer: v.pipe(v.string(), v.maxLength(64)), at: v.number() };
const output = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(63));
const fileName = v.pipe(v.string(), v.regex(resultNames));

const recordSchema = v.variant('type', [
  v.object({
    type: v.literal('started'),
    parameters: mediaParametersSchema,
    pid: v.number(),
    // By the model list's prices of that day.
    estimate: v.exactOptional(positive),
    ...written,
  }),
  v.object({
    type: v.literal('made'),
    // No link if the bytes arrived in the response itself.
    outputs: v.pipe(v.array(v.object({ url: v.exactOptional(link) })), v.maxLength(64)),
    requestId: v.exactOptional(v.string()),
    cost: v.exactOptional(positive),
    ...written,
  }),
  v.object({
    type: v.literal('saved'),
    output,
    file: fileName,
    mediaType: v.pipe(v.string(), v.regex(new RegExp(String.raw`^(${Object.values(madeTypes).join('|')})/[\w-]+$`))),
    sizeBytes: v.number(),
    ...written,
  }),
  v.object({ type: v.literal('notSaved'), output, failure: failureSchema, ...written }),
  // The user stopped the download, so it doesn't continue automatically.
  v.object({ type: v.literal('setAside'), output, ...written }),
  v.object({
    type: v.literal('ended'),
    outcome: v.picklist(['stopped', 'failed', 'unknown']),
    failure: v.exactOptional(failureSchema),
    requestId: v.exactOptional(v.string()),
    // Stopped before any byte was sent, or after a refusal: certainly not charged.
    unsent: v.exactOptional(v.boolean()),
    ...written,
  }),
  v.object({ type: v.literal('deleted'), ...written }),
  v.object({ type: v.literal('restored'), ...written }),
]);

/**
 * One line of the gallery's file. A run is the sum of the records with its ID, in order. No line ever changes, until a
 * deleted run is erased after a while. `writer` is the window that wrote it, `at` Unix time in milliseconds.
 */
export type MediaRecord = v.InferOutput<typeof recordSchema>;

/** A record before its window and time are known. */
export type MediaFact = Unstamped<MediaRecord>;

/** The record in a line, or undefined if the line is incomplete, damaged, or from an unknown version. */
export function decodeMediaRecord(line: string): MediaRecord | undefined {
  return recordIn(line, recordSchema);
}
