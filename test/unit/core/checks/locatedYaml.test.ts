import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { type Located, readLocatedYaml } from '../../../../src/core/checks/locatedYaml.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('true', '1', '~', '- a', 'a: b', 'x # y'),
);
const { data } = fc.letrec<{ data: unknown }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number || 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('data'), { maxLength: 4 }),
    fc.dictionary(text, tie('data'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Every scalar value, with its position. */
function* all(value: Located): Generator<Located> {
  yield value;
  for (const field of value.fields ?? []) yield* all(field.value);
  for (const item of value.items ?? []) yield* all(item);
}

describe('YAML with the position of each value', () => {
  it('reads what another library wrote, in block style and in flow style, and finds where each value is', () => {
    fc.assert(
      fc.property(
        data,
        fc.constantFrom('block', 'flow'),
        fc.constantFrom(undefined, 'QUOTE_DOUBLE', 'QUOTE_SINGLE'),
        (value, style, quotes) => {
          const written = stringify(
            { root: value },
            {
              collectionStyle: style === 'flow' ? 'flow' : 'block',
              ...(quotes !== undefined && { defaultStringType: quotes }),
            },
          );
          const { root, errors } = readLocatedYaml(written);
          assert.deepEqual(errors, [], written);
          assert.deepEqual(root?.plain, parse(written), written);
          for (const each of all(root as Located)) {
            const part = written.slice(each.from, each.to);
            assert.ok(each.from >= 0 && each.to <= written.length && each.from < each.to, written);
            if (typeof each.plain === 'number') assert.equal(Number(part), each.plain, written);
            if (style === 'flow' && each.items !== undefined) assert.match(part, /^\[[^]*\]$/, written);
            if (style === 'flow' && each.fields !== undefined) assert.match(part, /^\{[^]*\}$/, written);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('shows where an invalid YAML text is wrong', () => {
    for (const [written, line] of [
      ['a: 1\nb: [1, 2\nc: 3\n', 3],
      ['a: 1\n\tb: 2\n', 2],
      ['a: "x\n', 2],
      ['a: &b\n - *c\n', 2],
      ['a: !!js/function "x"\n', 1],
      ['a: 1\n---\nb: 2\n', 1],
    ] as const) {
      const { errors } = readLocatedYaml(written);
      assert.ok(errors.length > 0, written);
      const at = written.slice(0, errors[0]?.from).split('\n').length;
      assert.ok(Math.abs(at - line) <= 1, `${written}: ${at}, ${errors[0]?.message}`);
    }
  });

  it("puts a value from its anchor, and merged fields, at the position where they're used", () => {
    const written = 'base: &base { a: 1, b: [x] }\nhere:\n  <<: *base\n  a: 2\nlist: [*base]\n';
    const { root, errors } = readLocatedYaml(written);
    assert.deepEqual(errors, []);
    assert.deepEqual(root?.plain, { base: { a: 1, b: ['x'] }, here: { a: 2, b: ['x'] }, list: [{ a: 1, b: ['x'] }] });
    const [item] = root?.fields?.find(({ name }) => name === 'list')?.value.items ?? [];
    assert.equal(written.slice(item?.fields?.[0]?.value.from, item?.to), '*base');
  });
});
