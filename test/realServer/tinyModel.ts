/**
 * A language model small enough for a test to write: one layer of random weights over single bytes, in the GGUF format
 * that llama.cpp reads (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md). It produces nonsense, quickly.
 */

/** Maximum tokens of one request in total. */
export const contextLength = 512;

const width = 32;
const heads = 2;
const feedForward = 64;

const TokenType = { normal: 1, unknown: 2, control: 3, byte: 6 } as const;

type Value =
  | { readonly kind: 'u32'; readonly value: number }
  | { readonly kind: 'f32'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'strings'; readonly value: readonly string[] }
  | { readonly kind: 'floats'; readonly value: readonly number[] }
  | { readonly kind: 'ints'; readonly value: readonly number[] };

const kinds = { u32: 4, i32: 5, f32: 6, string: 8, array: 9 } as const;

interface Tensor {
  readonly name: string;
  /** Fastest first. */
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** @returns the bytes of a `.gguf` file, the same ones each time. */
export function tinyModel(): Buffer {
  const tokens = ['<unk>', '<s>', '</s>', ...Array.from({ length: 256 }, (_, byte) => byteToken(byte)), ...letters()];
  const metadata: Readonly<Record<string, Value>> = {
    'general.architecture': text('llama'),
    'general.name': text('tiny'),
    'llama.context_length': whole(contextLength),
    'llama.embedding_length': whole(width),
    'llama.block_count': whole(1),
    'llama.feed_forward_length': whole(feedForward),
    'llama.attention.head_count': whole(heads),
    'llama.attention.head_count_kv': whole(heads),
    'llama.rope.dimension_count': whole(width / heads),
    'llama.attention.layer_norm_rms_epsilon': { kind: 'f32', value: 1e-5 },
    'llama.vocab_size': whole(tokens.length),
    'tokenizer.ggml.model': text('llama'),
    'tokenizer.ggml.tokens': { kind: 'strings', value: tokens },
    // Longer tokens are preferred; all of ours are one letter long.
    'tokenizer.ggml.scores': { kind: 'floats', value: tokens.map(() => 0) },
    'tokenizer.ggml.token_type': { kind: 'ints', value: tokens.map((_, id) => tokenType(id)) },
    'tokenizer.ggml.bos_token_id': whole(1),
    'tokenizer.ggml.eos_token_id': whole(2),
    'tokenizer.ggml.unknown_token_id': whole(0),
    'tokenizer.chat_template': text(
      "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}assistant: ",
    ),
  };
  const random = seeded(7);
  const tensor = (name: string, ...shape: readonly number[]): Tensor => {
    const count = shape.reduce((product, length) => product * length, 1);
    const isNorm = name.includes('norm');
    return { name, shape, values: Float32Array.from({ length: count }, () => (isNorm ? 1 : random() - 0.5)) };
  };
  const tensors = [
    tensor('token_embd.weight', width, tokens.length),
    tensor('output_norm.weight', width),
    tensor('output.weight', width, tokens.length),
    tensor('blk.0.attn_norm.weight', width),
    tensor('blk.0.attn_q.weight', width, width),
    tensor('blk.0.attn_k.weight', width, width),
    tensor('blk.0.attn_v.weight', width, width),
    tensor('blk.0.attn_output.weight', width, width),
    tensor('blk.0.ffn_norm.weight', width),
    tensor('blk.0.ffn_gate.weight', width, feedForward),
    tensor('blk.0.ffn_up.weight', width, feedForward),
    tensor('blk.0.ffn_down.weight', feedForward, width),
  ];
  return writeGguf(metadata, tensors);
}

function byteToken(byte: number): string {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
}

/** So its output sometimes looks like words: U+2581 represents a space. */
function letters(): readonly string[] {
  return Array.from('\u2581abcdefghijklmnopqrstuvwxyz.,');
}

function tokenType(id: number): number {
  if (id === 0) return TokenType.unknown;
  if (id < 3) return TokenType.control;
  return id < 3 + 256 ? TokenType.byte : TokenType.normal;
}

function whole(value: number): Value {
  return { kind: 'u32', value };
}

function text(value: string): Value {
  return { kind: 'string', value };
}

/** From 0 to 1, from a linear congruential generator: good enough for nonsense. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const alignment = 32;

function writeGguf(metadata: Readonly<Record<string, Value>>, tensors: readonly Tensor[]): Buffer {
  const head: Buffer[] = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(Object.keys(metadata).length)];
  for (const [key, value] of Object.entries(metadata)) head.push(string(key), valueBytes(value));
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    const float32 = 0;
    head.push(string(name), u32(shape.length), ...shape.map(u64), u32(float32), u64(offset));
    offset += aligned(values.byteLength);
  }
  const header = Buffer.concat(head);
  const data = tensors.map(({ values }) => padded(Buffer.from(values.buffer)));
  return Buffer.concat([padded(header), ...data]);
}

function valueBytes(value: Value): Buffer {
  switch (value.kind) {
    case 'u32':
      return Buffer.concat([u32(kinds.u32), u32(value.value)]);
    case 'f32':
      return Buffer.concat([u32(kinds.f32), f32(value.value)]);
    case 'string':
      return Buffer.concat([u32(kinds.string), string(value.value)]);
    case 'strings':
      return array(kinds.string, value.value.map(string));
    case 'floats':
      return array(kinds.f32, value.value.map(f32));
    case 'ints':
      return array(kinds.i32, value.value.map(u32));
  }
}

function array(kind: number, items: readonly Buffer[]): Buffer {
  return Buffer.concat([u32(kinds.array), u32(kind), u64(items.length), ...items]);
}

function string(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function aligned(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)]);
}
