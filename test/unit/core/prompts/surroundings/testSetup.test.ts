import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { testFramework } from '../../../../../src/core/prompts/surroundings/testFramework.ts';
import { nearestTests, testPath, testPatterns } from '../../../../../src/core/prompts/surroundings/testPlaces.ts';
import { testSetupText } from '../../../../../src/core/prompts/surroundings/testSetupText.ts';

const file = (path: string, text: string) => ({ path, text });

describe('The test framework of a project', () => {
  it('is what its tests use, rather than what a manifest lists', () => {
    const tests = [file('a.test.ts', "import { describe } from 'vitest';")];
    const manifests = [file('package.json', '{"devDependencies": {"jest": "29"}}')];
    assert.equal(testFramework('typescriptreact', tests, manifests), 'Vitest');
    assert.equal(testFramework('typescript', [], manifests), 'Jest');
    assert.equal(testFramework('typescript', [], []), undefined);
  });

  it('is recognized in each language', () => {
    const manifests: readonly (readonly [string, string, string])[] = [
      ['javascript', '{"scripts": {"test": "node --test"}}', "Node's test runner (node:test)"],
      ['typescript', '{"devDependencies": {"mocha": "11", "typescript": "7"}}', 'Mocha'],
      ['python', '[tool.pytest.ini_options]', 'pytest'],
      ['rust', '[package]\nname = "a"', "Rust's own tests (#[test])"],
      ['go', 'module a\n\nrequire github.com/stretchr/testify v1', "Go's testing package with testify"],
      ['go', 'module a\n', "Go's testing package"],
      ['java', '<artifactId>junit-jupiter</artifactId>', 'JUnit 5'],
      ['csharp', '<PackageReference Include="xunit" />', 'xUnit'],
      ['ruby', "gem 'rspec'", 'RSpec'],
    ];
    for (const [language, text, name] of manifests) assert.equal(testFramework(language, [], [file('m', text)]), name);
    assert.equal(testFramework('python', [file('t.py', 'class A(unittest.TestCase):')], []), 'unittest');
    assert.equal(testFramework('rust', [file('t.rs', '#[test]\nfn a() {}')], []), "Rust's own tests (#[test])");
    assert.equal(testFramework('python', [], [file('package.json', '{"devDependencies": {"jest": "29"}}')]), undefined);
  });
});

describe('Where tests of a file belong', () => {
  it('is where the tests of its neighbors are', () => {
    const samples: readonly (readonly [string, readonly string[], string | undefined])[] = [
      ['src/a/b.ts', ['src/a/c.test.ts'], 'src/a/b.test.ts'],
      ['src/a/b.tsx', ['src/a/c.spec.ts'], 'src/a/b.spec.tsx'],
      ['src/a/b.ts', ['src/x/__tests__/c.test.ts'], 'src/a/__tests__/b.test.ts'],
      ['src/core/a/b.ts', ['test/unit/core/x/c.test.ts'], 'test/unit/core/a/b.test.ts'],
      ['src/core/a/b.ts', ['test/c.test.ts'], 'test/b.test.ts'],
      ['source/a/b.ts', ['test/helpers/d.ts', 'test/c.ts'], 'test/b.ts'],
      ['pkg/a.py', ['tests/test_b.py'], 'tests/test_a.py'],
      ['pkg/a.py', [], 'tests/test_a.py'],
      ['net/http/a.go', ['net/url/b_test.go'], 'net/http/a_test.go'],
      ['src/main/java/a/B.java', [], 'src/test/java/a/BTest.java'],
      ['src/main/java/a/B.java', ['src/test/java/x/CTests.java'], 'src/test/java/a/BTests.java'],
      ['src/lib.rs', ['tests/a.rs'], undefined],
      ['src/a.test.ts', [], undefined],
      ['notes.txt', [], undefined],
      ['src/b.ts', ['test/old/b.test.ts', 'src/c.test.ts'], 'test/old/b.test.ts'],
    ];
    for (const [path, tests, expected] of samples)
      assert.equal(testPath(path, nearestTests(path, tests)), expected, path);
  });

  it("follows the file's own test first, then the nearest", () => {
    const tests = ['test/z.test.ts', 'src/a/c.test.ts', 'test/deep/b.test.ts'];
    assert.deepEqual(nearestTests('src/a/b.ts', tests), ['test/deep/b.test.ts', 'src/a/c.test.ts', 'test/z.test.ts']);
    assert.deepEqual(nearestTests('src/a/b.ts', tests.toReversed()), nearestTests('src/a/b.ts', tests));
  });

  it('has patterns for the search', () => {
    assert.deepEqual(testPatterns('a/b.go'), ['**/*_test.go']);
    assert.deepEqual(testPatterns('a/b.py'), ['**/{test_*,*_test}.py']);
    assert.deepEqual(testPatterns('a/b.rs'), ['**/tests/**/*.rs']);
    assert.deepEqual(testPatterns('a/b.txt'), []);
    const [named, inFolders] = testPatterns('a/b.ts');
    assert.match(named ?? '', /^\*\*\/\{\*\.test,[^}]*\}\.\{ts,tsx,[^}]*\}$/);
    assert.match(inFolders ?? '', /^\*\*\/\{test,tests,__tests__\}\/\*\*\/\*\.\{ts,tsx,[^}]*\}$/);
  });
});

describe('What a model learns about tests', () => {
  it('is the framework, the place, and the beginning of an example', () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\r\n');
    const told = testSetupText({
      framework: 'Vitest',
      path: 'src/b.test.ts',
      example: { path: 'src/a.test.ts', language: 'typescript', text },
    });
    assert.ok(
      told.startsWith(
        'Tests in this project use Vitest. The new tests will be in src/b.test.ts.\n\nAn existing test, as an example of the style: src/a.test.ts (its first 60 lines)\n```typescript\nline 1\nline 2\n',
      ),
    );
    assert.ok(told.endsWith('line 60\n```'));
    assert.equal(testSetupText({}), '');
    assert.equal(testSetupText({ framework: 'pytest' }), 'Tests in this project use pytest.');
  });

  it('has no more of the example than fits, however long its lines are', () => {
    const told = (text: string, contextWindow?: number) =>
      testSetupText({ example: { path: 'a.test.ts', language: 'typescript', text } }, contextWindow);
    const expected = (part: string, text: string) =>
      `An existing test, as an example of the style: a.test.ts (${part})\n\`\`\`typescript\n${text}\n\`\`\``;
    const long = `it('${'x'.repeat(500_000)}', () => {});`;
    assert.equal(told(long), expected('its start', long.slice(0, 3200)));
    assert.equal(told(`one\ntwo\n${long}`), expected('its first 2 lines', 'one\ntwo'));
    const line = 'x'.repeat(99);
    const lines = (count: number) => Array.from({ length: count }, () => line).join('\n');
    assert.equal(told(lines(50)), expected('its first 32 lines', lines(32)));
    assert.equal(told(lines(50), 128_000), told(lines(50)));
    assert.equal(told(lines(50), 1000), expected('its first 5 lines', lines(5)));
    assert.equal(told(lines(50), 100), expected('its start', line.slice(0, 48)));
  });

  it('is found in any text, and always ends', () => {
    const texts = ['\n', 'import\n', 'node ', 'describe ', 'from '].map((part) => part.repeat(200_000 / part.length));
    for (const text of texts)
      for (const language of ['typescript', 'python', 'go', 'ruby', 'dart']) {
        const same = { path: 'a', text };
        assert.equal(testFramework(language, [same], [same]), undefined);
      }
    const go = (text: string) => testFramework('go', [{ path: 'a_test.go', text }], []);
    assert.equal(go('package a\n\nimport (\n\t"fmt"\n\t"testing"\n)\n'), "Go's testing package");
    assert.equal(go('package a\n\nimport "testing"\n'), "Go's testing package");
    assert.equal(go('package a\n\nimport (\n\tt "testing"\n)\n'), "Go's testing package");
  });
});
