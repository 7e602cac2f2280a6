import type { ToMediaPage } from '../../shared/mediaProtocol.ts';
import { type Check, flag, isRecord, listOf, maybe, number, object, oneOf, problem, text } from '../kit/shapeCheck.ts';

const kind = oneOf('video', 'image');
const output = object({
  state: oneOf('waiting', 'downloading', 'saved', 'failed'),
  src: maybe(text),
  mediaType: maybe(text),
  sizeBytes: maybe(number),
  receivedBytes: maybe(number),
  totalBytes: maybe(number),
  hasLink: flag,
  problem: maybe(problem),
});
const item = object({
  id: text,
  kind,
  state: oneOf('running', 'elsewhere', 'done', 'stopped', 'failed', 'unknown'),
  prompt: text,
  model: text,
  facts: listOf(text),
  parameters: listOf(object({ name: text, value: text })),
  startedAt: number,
  endedAt: maybe(number),
  usualSeconds: maybe(number),
  waitingUntil: maybe(number),
  outputs: listOf(output),
  problem: maybe(problem),
  isDraft: flag,
});
const addressInput = object({ kind: oneOf('address'), url: text });
const fileInput = object({ kind: oneOf('file'), id: text, name: text, mediaType: text, sizeBytes: number });
const input: Check = (value) => addressInput(value) || fileInput(value);
const texts: Check = (value) => isRecord(value) && Object.values(value).every(text);
const form = object({
  kind,
  values: object({ texts, inputs: object({ image: maybe(input), audio: maybe(input) }) }),
  presets: listOf(text),
  prices: maybe(text),
  insertInto: maybe(text),
});

const checks: Readonly<Record<ToMediaPage['type'], Check>> = {
  snapshot: object({ snapshot: object({ form: maybe(form), items: listOf(item) }) }),
  itemChanged: object({ item }),
  itemRemoved: object({ id: text, canRestore: flag }),
  formSet: object({ form }),
  presetsChanged: object({ names: listOf(text) }),
  pricesKnown: object({ model: text, prices: text }),
  modelChosen: object({ model: text }),
  inputChosen: object({ field: oneOf('image', 'audio'), input }),
  runAccepted: object({ id: text }),
  runRefused: object({ problem }),
};

/** Whether this is a message of the protocol, whole and well formed. */
export function isToMediaPage(value: unknown): value is ToMediaPage {
  if (!isRecord(value) || !number(value['seq'])) return false;
  const type = value['type'];
  return typeof type === 'string' && isType(type) && checks[type](value);
}

function isType(type: string): type is ToMediaPage['type'] {
  return Object.hasOwn(checks, type);
}
