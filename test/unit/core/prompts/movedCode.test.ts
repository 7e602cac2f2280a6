import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { changeHunks } from '../../../../src/core/prompts/changeHunks.ts';
import { Proposal } from '../../../../src/core/prompts/proposal.ts';

interface Language {
  readonly head: (name: string, parameter: string) => string;
  readonly body: readonly string[];
  readonly end: string;
}

const braces = { body: ['    return null;', '    run();', '    x += 1;', ''], end: '  }' };
const languages: Readonly<Record<string, Language>> = {
  TypeScript: { ...braces, head: (name, x) => `  async ${name}<T>(${x}: T): Promise<void> {` },
  JavaScript: { ...braces, head: (name, x) => `  ${name}(${x}) {` },
  'signatures on several lines': { ...braces, head: (name, x) => `  private ${name}(\n    ${x}: string,\n  ): void {` },
  Java: { ...braces, head: (name, x) => `  public Map<String, int[]> ${name}(int ${x}) throws Oops {` },
  'C#': { ...braces, head: (name, x) => `  public static int ${name}(int ${x})\n  {` },
  'C# properties': { ...braces, head: (name) => `  public int ${name} {` },
  C: { ...braces, head: (name, x) => `static int *${name}(char *${x})\n{`, end: '}' },
  'C prototypes': { body: [], head: (name, x) => `int ${name}(char *${x});`, end: '' },
  'C++': { ...braces, head: (name, x) => `void Foo::${name}(const std::string &${x}) const {`, end: '}' },
  CSS: { body: ['  color: red;', '  margin: 0;', ''], head: (name) => `.${name}:hover {`, end: '}' },
  Go: { ...braces, head: (name, x) => `func (s *Server) ${name}(${x} int) error {`, end: '}' },
  Rust: { ...braces, head: (name, x) => `  pub(crate) fn ${name}(${x}: u8) {` },
  Python: { body: ['        return None', '        run()', ''], head: (name, x) => `    def ${name}(${x}):`, end: '' },
  Ruby: { body: ['    run', '    nil', ''], head: (name, x) => `  def self.${name}(${x})`, end: '  end' },
};

interface Member {
  readonly name: string;
  readonly parameter: string;
  readonly body: readonly number[];
}

const names = ['one', 'two', 'three', 'four', 'five'];
const members = fc
  .tuple(
    fc.shuffledSubarray(names),
    fc.array(fc.record({ parameter: fc.constantFrom('a', 'b'), body: fc.array(fc.nat(3), { maxLength: 4 }) }), {
      minLength: 5,
      maxLength: 5,
    }),
  )
  .map(([chosen, all]): readonly Member[] =>
    chosen.map((name, index) => ({ name, ...(all[index] ?? { parameter: 'a', body: [] }) })),
  );
const choices = fc.array(fc.boolean(), { minLength: 16, maxLength: 16 });

function written(all: readonly Member[], { head, body, end }: Language): string {
  return all
    .map(({ name, parameter, body: chosen }) =>
      [head(name, parameter), ...chosen.map((at) => body[at % body.length] ?? ''), end].join('\n'),
    )
    .join('\n\n');
}

/** Like a user: one after the other, each at the first remaining position. */
function decided(base: string, proposed: string, keeps: readonly boolean[]): string {
  const proposal = new Proposal(base, proposed);
  for (const keep of keeps) {
    const change = proposal.accept(0);
    if (change === undefined) break;
    if (keep) proposal.made(change);
    else proposal.reject(0);
  }
  return proposal.present;
}

function worded(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => /\w/.test(line));
  return lines.map((line) => line.trim().replace(/[,;]$/, ''));
}

function assertKept(base: string, proposed: string, keeps: readonly boolean[]): void {
  const result = decided(base, proposed, keeps);
  const [after, is] = [new Set(worded(proposed)), new Set(worded(result))];
  for (const line of worded(base)) assert.ok(!after.has(line) || is.has(line), `lost: ${line}\n\n${result}`);
}

describe('Keeping some changes and discarding others', () => {
  it('never loses a line that both texts have, in any text', () => {
    const line = fc.constantFrom('one', '  one', 'two', 'three,', 'three', 'four;', '}', '', '  return x;');
    const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.join('\n'));
    fc.assert(fc.property(text, text, choices, assertKept), { numRuns: 2000 });
  });

  for (const [name, language] of Object.entries(languages)) {
    it(`never loses a declaration or declares it twice when it moves: ${name}`, () => {
      fc.assert(
        fc.property(members, members, choices, (one, other, keeps) => {
          const [base, proposed] = [written(one, language), written(other, language)];
          assertKept(base, proposed, keeps);
          const result = decided(base, proposed, keeps);
          for (const each of names) {
            // The parameter can be another one after the move.
            const heads = ['a', 'b'].map((parameter) => language.head(each, parameter).split('\n')[0] ?? '');
            const count = (text: string) => text.split('\n').filter((row) => heads.includes(row)).length;
            const counts = [base, proposed].map(count);
            assert.ok(counts.includes(count(result)), `${each}: ${counts.join(' → ')}\n\n${result}`);
          }
        }),
        { numRuns: 400 },
      );
    });
  }

  it('loses no rule of a list when its last one gets or loses a comma', () => {
    assertKept('  "a": 1,\n  "b": 2,\n  "c": 3', '  "b": 2,\n  "c": 3,\n  "a": 1', [true, false, false]);
    const moved = changeHunks('  "a": 1,\n  "b": 2,\n  "c": 3,\n  "z": 9', '  "b": 2,\n  "c": 3,\n  "z": 9,\n  "a": 1');
    assert.equal(moved.length, 1);
  });

  it('stays possible for each place of a common line, a call, and a variable of the same name', () => {
    const common = (first: string, last: string) => `a() {\n${first}b;\n  return null;\nc;\nd;\n${last}e;\n}`;
    assert.equal(changeHunks(common('  return null;\n', ''), common('', '  return null;\n')).length, 2);
    const variables = (x: number) => `one();\nconst x = ${x};\ntwo();\nthree();\nfour();\nconst x = ${x + 5};\nfive();`;
    assert.equal(changeHunks(variables(1), variables(2)).length, 2);
    const calls = (first: string, last: string) => `${first}a;\n  it('x', () => {\n    b;\n  });\nc;\n${last}d;\n`;
    const it1 = "  it('y', () => {\n    e;\n  });\n";
    const it2 = "  it('z', () => {\n    f;\n  });\n";
    assert.equal(changeHunks(calls(it1, ''), calls('', it2)).length, 2);
  });
});
