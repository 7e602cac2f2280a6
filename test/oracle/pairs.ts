import type { CheckedReply } from '../../src/core/checks/expectation.ts';

export interface Pair {
  readonly assertion: {
    readonly type: string;
    readonly value?: unknown;
    readonly threshold?: number;
    readonly weight?: number;
  };
  readonly reply: CheckedReply;
}

const fence = '```';

/** Replies that trip up parsers. */
export const odd: readonly string[] = [
  '',
  ' ',
  '\n',
  'undefined',
  'null',
  'true',
  '42',
  '"text"',
  '[]',
  '[1, {"a": 2}]',
  '{}',
  '{"a": 1}',
  '{"a": 1}\r\n',
  '{"a": {"b": [1, 2, {"c": null}]}, "d": "}"}',
  "{'a': 1, b: two, // three\n c: [1,],}",
  `Here you are:\n${fence}json\n{\n  "name": "Ada",\n  "age": 36\n}\n${fence}\nThat is all.`,
  'function f() { return 1; }',
  'if (a) { b(); } else { c: d }',
  'Two: {"a": 1} and {"a": "x"}',
  'Cut off: {"name": "Ada", "list": [1, 2',
  'Cut off: {"name": "Ada", "inner": {"a": 1',
  'Not closed { and } not { opened }}}',
  'Straße, İstanbul, ΑΣ, naïve, e\u0301',
  'straße, i\u0307stanbul, ας, NAÏVE, é',
  '👩‍👩‍👧 family \u{1F600}',
  'one\r\ntwo\r\n\tthree',
  'one two  three\u00A0four\u2003five',
  'The answer is 4.',
  'the ANSWER is 42',
  'a, b, c',
  '"a,b", c',
  '$1 {{name}} \\n',
  'http://example.com/{"a": 1}//x',
  `${'word '.repeat(20_000)}end`,
  `${'{"a": ['.repeat(50)}1${']}'.repeat(50)}`,
  `{"big": "${'x'.repeat(60_000)}"}`,
  `{"a": "${'x'.repeat(100_000)}"}`,
  `{a: ${'x'.repeat(100_000)}}`,
  '{<<: {a: 1}}',
  '{a: 2001-12-14, when: 2001-12-14t21:59:43.10-05:00}',
  '{"a": 1e999}',
  '{a: 0x1F, b: .inf, c: 1_000, d: 017}',
  '{a: !!set {b, c}}',
  '{a: &x 1, b: *x}',
];

const schema = { type: 'object', required: ['a'], properties: { a: { type: 'number' } } };
const values: readonly (readonly [kind: string, ...values: readonly unknown[]])[] = [
  ['equals', '', ' ', '42', 42, true, null, 'The answer is 4.', {}, { a: 1 }, [1, { a: 2 }], 'one\ntwo\n\tthree'],
  ['contains', '', 'a', 'answer', 4, 0, 'ß', 'é', '\n', '\r\n', null, true, ['a'], ' ', Number.NaN],
  ['icontains', '', 'ANSWER', 'STRASSE', 'Straße', 'İ', 'i̇', 'ας', 'Σ', 4, null],
  [
    'contains-all',
    'a, b',
    ['a', 'b'],
    [],
    '',
    '"a,b", c',
    '"a" b',
    '"a',
    ',',
    [4, 'answer'],
    null,
    5,
    [null],
    ' , a ,, c ',
  ],
  ['contains-any', 'a, zebra', ['zebra'], [], '', '"a,b"', '"a\\"b"', '"a""b"', [42], null, { a: 1 }, [true]],
  ['icontains-all', 'ANSWER, the', ['The', 'answer']],
  ['icontains-any', 'ZEBRA, THE', ['zebra', 'ANSWER']],
  ['starts-with', '', 'The', 'the', ' ', '{', 4, null, '👩'],
  [
    'regex',
    '',
    '^The',
    '^$',
    'answer|name',
    '(',
    '[',
    '\\d+',
    '\\p{L}',
    '(?<a>x)\\k<a>',
    '.*$',
    '(?i)the',
    5,
    '^[\\s\\S]*$',
    'a{2',
    '\\u{1F600}',
  ],
  [
    'is-json',
    undefined,
    '',
    schema,
    'type: object',
    JSON.stringify(schema),
    { type: 'nonsense' },
    { unknown: 1 },
    true,
    5,
    [],
    { type: 'string', format: 'email' },
    { $ref: '#/definitions/a', definitions: { a: { type: 'number' } } },
  ],
  [
    'contains-json',
    undefined,
    '',
    schema,
    'required: [a]',
    { type: 'object', required: ['name'] },
    { unknown: 1 },
    true,
    { additionalProperties: false },
  ],
  [
    'word-count',
    0,
    4,
    '4',
    '',
    'four',
    { min: 1 },
    { max: 5 },
    { min: 2, max: 4 },
    { min: 4, max: 2 },
    {},
    null,
    [],
    { min: '1' },
    20_001,
  ],
  ['finish-reason', 'stop', 'STOP', 'length', '', null, 5],
];

/** Each value of each kind, in both forms, with every odd reply: the same in every run. */
export function pairs(): readonly Pair[] {
  const ofTexts = values.flatMap(([kind, ...all]) =>
    all.flatMap((value) =>
      [kind, `not-${kind}`].flatMap((type) =>
        odd.map((text, at): Pair => ({
          assertion: { type, ...(value !== undefined && { value }), ...(at % 7 === 6 && { weight: at % 2 }) },
          reply: { text, latencyMs: 100, ...endingOf(at) },
        })),
      ),
    ),
  );
  const noValue = ['equals', 'contains', 'contains-all', 'starts-with', 'regex', 'word-count'].map((type): Pair => ({
    assertion: { type },
    reply: { text: 'undefined', latencyMs: 100 },
  }));
  const limits = ['latency', 'cost'].flatMap((kind) =>
    [kind, `not-${kind}`].flatMap((type) =>
      [undefined, 0, 0.002, 99, 100, 101].flatMap((threshold) =>
        [undefined, 0, 0.002, 0.003].map((cost): Pair => ({
          assertion: { type, ...(threshold !== undefined && { threshold }) },
          reply: { text: 'x', latencyMs: 100, ...(cost !== undefined && { cost }) },
        })),
      ),
    ),
  );
  return [...ofTexts, ...noValue, ...limits];
}

function endingOf(at: number): { readonly finishReason?: string } {
  const reason = [undefined, 'stop', 'length', 'Stop'][at % 4];
  return reason === undefined ? {} : { finishReason: reason };
}
