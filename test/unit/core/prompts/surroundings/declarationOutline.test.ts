import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { declarationOutline } from '../../../../../src/core/prompts/surroundings/declarationOutline.ts';
import { maskedCode } from '../../../../../src/core/prompts/surroundings/maskedCode.ts';

function outline(text: string, language: string, from = 0): string {
  return declarationOutline(text.split('\n'), { from }, language, 'members').text;
}

describe('The outline of a declaration', () => {
  it('of a function is its signature, over several lines and with inline types', () => {
    assert.equal(
      outline('export function a(b: number): string {\n  return `${b}`;\n}\nrest', 'typescript'),
      'export function a(b: number): string { … }',
    );
    assert.equal(
      outline('function a(\n  b: { c: number },\n): { d: string } {\n  return {};\n}', 'typescript'),
      'function a(\n  b: { c: number },\n): { d: string } { … }',
    );
    assert.equal(
      outline('const a = async (b: B): Promise<C> => {\n  await b;\n};\nmore', 'typescript'),
      'const a = async (b: B): Promise<C> => { … }',
    );
    assert.equal(outline('const limit = 5;\nconst other = 6;', 'typescript'), 'const limit = 5;');
  });

  it('of a type has its members without their bodies', () => {
    const text =
      'export class A<T> extends B {\n  readonly #c = new Map<string, T>();\n\n  // Why }\n  get d(): number {\n    if (x) { return 1; }\n    return 2;\n  }\n}\nrest';
    assert.equal(
      outline(text, 'typescript'),
      'export class A<T> extends B {\n  readonly #c = new Map<string, T>();\n\n  // Why }\n  get d(): number { … }\n}',
    );
    assert.equal(
      outline('interface A {\n  b(c: { d: 1 }): void;\n}', 'typescript'),
      'interface A {\n  b(c: { d: 1 }): void;\n}',
    );
    assert.equal(outline("type A = 'one' | 'two';\ntype B = 1;", 'typescript'), "type A = 'one' | 'two';");
    assert.equal(
      outline('type A =\n  | { kind: 1 }\n  | { kind: 2 };\nlet x', 'typescript'),
      'type A =\n  | { kind: 1 }\n  | { kind: 2 };',
    );
  });

  it('is empty where only a comment or a string is, as at the start of a module', () => {
    assert.equal(outline('"""\nrequests.sessions\n"""\n\nimport os\n', 'python'), '');
    assert.equal(outline('# -*- coding: utf-8 -*-\nimport os\n', 'python'), '');
    assert.equal(outline('"""\nNames.\n"""\nclass A:\n    b: int\n', 'python', 3), 'class A:\n    b: int');
    assert.equal(
      outline('/// Why.\npub struct A {\n    b: u8,\n}\n', 'rust'),
      '/// Why.\npub struct A {\n    b: u8,\n}',
    );
  });

  it('of a generated file stops early, because its lines can be very long', () => {
    const line = `var a=(b)=>b+1,${'c="x",d=(e),'.repeat(40_000)}`;
    for (const language of ['javascript', 'python'])
      assert.ok(outline(Array.from({ length: 3 }, () => line).join('\n'), language).length <= 20_000, language);
  });

  it('is recognized by braces in Rust and Go', () => {
    assert.equal(
      outline(
        "pub fn parse<'a>(text: &'a str) -> Result<Vec<&'a str>, Error>\nwhere\n    Error: From<X>,\n{\n    todo!()\n}",
        'rust',
      ),
      "pub fn parse<'a>(text: &'a str) -> Result<Vec<&'a str>, Error>\nwhere\n    Error: From<X>,\n{ … }",
    );
    assert.equal(
      outline('#[derive(Debug)]\npub struct A {\n    b: u8,\n}\nfn c() {}', 'rust'),
      '#[derive(Debug)]\npub struct A {\n    b: u8,\n}',
    );
    assert.equal(
      outline('func (s *Server) Serve(l net.Listener) error {\n\tfor {}\n}', 'go'),
      'func (s *Server) Serve(l net.Listener) error { … }',
    );
    assert.equal(
      outline('type Store interface {\n\tGet(key string) (any, error)\n}', 'go'),
      'type Store interface {\n\tGet(key string) (any, error)\n}',
    );
  });

  it('is recognized by indentation in Python', () => {
    assert.equal(
      outline('def a(\n    b: int,\n) -> str:\n    """Doc."""\n    return ""\n\ndef c(): ...', 'python'),
      'def a(\n    b: int,\n) -> str:',
    );
    const text =
      '@dataclass\nclass A(B):\n    """Doc."""\n    c: int = 1\n\n    def d(self) -> int:\n        e: int = 2\n        return e\n\n    @property\n    def f(self): ...\n\nx = 1';
    assert.equal(
      outline(text, 'python'),
      '@dataclass\nclass A(B):\n    c: int = 1\n    def d(self) -> int:\n    @property\n    def f(self): ...',
    );
    assert.equal(outline('LIMIT = 5\nother = 6', 'python'), 'LIMIT = 5');
  });

  it('can be only the head, without the indentation of its first line', () => {
    const lines = 'class A {\n  b(): void {\n    c();\n  }\n}'.split('\n');
    assert.equal(declarationOutline(lines, { from: 0 }, 'typescript', 'head').text, 'class A { … }');
    assert.deepEqual(declarationOutline(lines, { from: 1 }, 'typescript', 'head'), {
      from: 1,
      to: 2,
      text: 'b(): void { … }',
    });
  });

  it("is cut if it's long", () => {
    const text = `interface A {\n${'  b: number;\n'.repeat(500)}}`;
    const cut = outline(text, 'typescript').split('\n');
    assert.equal(cut.length, 41);
    assert.equal(cut.at(-1), '  …');
  });

  it('works for any text, even broken code, and has no more lines than the text', () => {
    const piece = fc.constantFrom(
      'class A {',
      'fn b(',
      '}',
      '{',
      ')',
      '\n',
      '"',
      "'",
      '`',
      '/*',
      '*/',
      '//',
      '  ',
      ': {',
      '=>',
      ';',
      'def c():',
      'x',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.constantFrom('typescript', 'python', 'rust'),
        (pieces, language) => {
          const text = pieces.join('');
          const { from, to, text: found } = declarationOutline(text.split('\n'), { from: 0 }, language, 'members');
          assert.ok(from === 0 && to >= from);
          assert.ok(found.split('\n').length <= text.split('\n').length + 1);
          const masked = maskedCode(text, language);
          assert.equal(masked.length, text.length);
          assert.equal(masked.split('\n').length, text.split('\n').length);
        },
      ),
    );
  });
});
