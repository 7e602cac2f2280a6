import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { declarationLine, enclosingLines } from '../../../../../src/core/prompts/surroundings/declarationsInText.ts';
import { importLines } from '../../../../../src/core/prompts/surroundings/importLines.ts';
import { assertLinearCost } from '../../../../hostile/linearCost.ts';

const all = () => true;

describe('The imports of a file', () => {
  it('are found in each language, over several lines and without those in comments', () => {
    const samples: readonly (readonly [string, string, string])[] = [
      [
        'typescript',
        "// import x\nimport {\n  a,\n} from './a.ts';\nimport 'b';\n\nconst c = 1;\n",
        "import {\n  a,\n} from './a.ts';\nimport 'b';",
      ],
      ['javascript', "'use strict';\nconst a = require('a');\n", "const a = require('a');"],
      [
        'python',
        '"""import doc"""\nimport os\nfrom a import (\n    b,\n)\n\ndef c(): ...',
        'import os\nfrom a import (\n    b,\n)',
      ],
      [
        'rust',
        '//! Doc\nuse std::{\n    fs,\n};\npub(crate) use a::B;\nmod c;\nfn d() {}',
        'use std::{\n    fs,\n};\npub(crate) use a::B;\nmod c;',
      ],
      ['go', 'package a\n\nimport (\n\t"fmt"\n)\n\nfunc b() {}', 'import (\n\t"fmt"\n)'],
      ['java', 'package a;\n\nimport b.C;\n\nclass D {}', 'package a;\nimport b.C;'],
      ['cpp', '#include <vector>\n\nint a();', '#include <vector>'],
    ];
    for (const [language, text, expected] of samples) {
      assert.equal(importLines(text, language, all)?.text, expected, language);
      assert.equal(importLines(text.replaceAll('\n', '\r\n'), language, all)?.text, expected, `${language}, CRLF`);
    }
    assert.equal(importLines('import a', 'markdown', all), undefined);
    assert.equal(importLines('const a = 1;', 'typescript', all), undefined);
  });

  it('are reduced to those that the code needs if there are many', () => {
    const text = Array.from({ length: 60 }, (_, index) => `import { n${index} } from './n${index}';`).join('\n');
    assert.equal(importLines(text, 'typescript', (name) => name === 'n7')?.text, "import { n7 } from './n7';");
    assert.equal(
      importLines(text, 'typescript', () => false),
      undefined,
    );
  });
});

describe('Without symbols from VS Code', () => {
  it('the declarations around a line are recognized by indentation', () => {
    assert.deepEqual(
      enclosingLines('class A:\n    x = 1\n\n    def b(self):\n        if c:\n            d()\n', 5, 'python'),
      [0, 3],
    );
    assert.deepEqual(
      enclosingLines('impl A {\n    fn b(\n        c: u8,\n    ) {\n        d();\n    }\n}', 4, 'rust'),
      [0, 1],
    );
    const method = 'class A {\n  b(c: number): void {\n    if (d(c)) {\n      e();\n    }\n  }\n}';
    assert.deepEqual(enclosingLines(method, 3, 'typescript'), [0, 1]);
    assert.deepEqual(enclosingLines('def a(): ...\n\nb()\n', 2, 'python'), []);
  });

  it('the declarations around a line can have their brace, or a where, on a line of its own', () => {
    const generic =
      'impl<T> A for B<T>\nwhere\n    T: C,\n{\n    fn d(&self)\n    where\n        T: E,\n    {\n        f();';
    assert.deepEqual(enclosingLines(generic, 8, 'rust'), [0, 4]);
    const allman = 'class A\n{\n  int B(int c)\n  {\n    if (c)\n    {\n      D();\n    }\n  }\n}';
    assert.deepEqual(enclosingLines(allman, 6, 'csharp'), [0, 2]);
  });

  it("long lines, as in generated files, aren't taken for declarations: reading one takes cubic time", () => {
    const headOf = (chars: number) => `${'a'.repeat(chars - '() {'.length)}() {\n  b`;
    assert.deepEqual(enclosingLines(headOf(300), 1, 'plaintext'), [0]);
    assert.deepEqual(enclosingLines(headOf(301), 1, 'plaintext'), []);
    for (const end of ['', ' = {'])
      assertLinearCost((n) => {
        const text = `${'a()'.repeat(n)}${end}\n  b`;
        return () => assert.deepEqual(enclosingLines(text, 1, 'plaintext'), []);
      });
  });

  it('the declaration of a name is searched for in the file', () => {
    const go = ['package a', 'func (s *Server) Close() error {', 'type Server struct {', 'const limit = 5'];
    assert.deepEqual(
      ['Close', 'Server', 'limit', 'Ser'].map((name) => declarationLine(go, name)),
      [1, 2, 3, undefined],
    );
    const python = ['    async def close(self):', 'class Task(Base):', 'close()'];
    assert.deepEqual(
      ['close', 'Task', 'Base'].map((name) => declarationLine(python, name)),
      [0, 1, undefined],
    );
  });
});
