import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { maskedCode } from '../../../../../src/core/prompts/surroundings/maskedCode.ts';
import { usedNames } from '../../../../../src/core/prompts/surroundings/usedNames.ts';

const names = (code: string, language: string, most = 20) => usedNames(code, language, most).map(({ name }) => name);

describe('The names that code uses', () => {
  it('are types and functions first, then other names, then members', () => {
    assert.deepEqual(names('return tasks.filter((task: Task) => keep(task, limit));', 'typescript'), [
      'Task',
      'keep',
      'tasks',
      'task',
      'limit',
      'filter',
    ]);
  });

  it('exclude comments, strings, and keywords', () => {
    assert.deepEqual(names('// Other\nconst a1 = "Text"; /* More */ call(`Late`);', 'typescript'), ['call', 'a1']);
    assert.deepEqual(names('def a1(self):  # Note\n    """Doc of it"""\n    return Task', 'python'), ['a1', 'Task']);
    assert.deepEqual(names("fn parse<'a>(text: &'a str) -> Node<'a> { todo!() }", 'rust'), [
      'parse',
      'Node',
      'todo',
      'text',
    ]);
  });

  const masked = (code: string, language: string): string => {
    const result = maskedCode(code, language);
    assert.equal(result.length, code.length);
    return result.trim().split(/\s+/).join(' ');
  };

  it('include those in the code inside of strings', () => {
    const template = 'const aa = `Text ${fmt(x1, "Not")} more ${`Inner ${deep}`}`; last';
    assert.deepEqual(names(template, 'typescript'), ['fmt', 'aa', 'x1', 'deep', 'last']);
    assert.equal(masked('`a ${ {b: 1}.b } c \\${d} $e {f}` + g', 'typescript'), '{b: 1}.b + g');
    const format = `print(f"Text {fmt(x1)} {{Not}} {y1['Key']}", "{Other}", rest)`;
    assert.deepEqual(names(format, 'python'), ['print', 'fmt', 'x1', 'y1', 'rest']);
    assert.equal(masked('f"""a {b}\n{c}"""\nd', 'python'), 'f b c d');
    assert.equal(masked("x = 'a\\\nb' + c", 'python'), 'x = + c');
    assert.equal(masked('x := `${a}` + b', 'go'), 'x := + b');
  });

  it('are found after a string whose code is not closed', () => {
    assert.equal(masked('f"a {b\nc = "d"', 'python'), 'f b c =');
    assert.equal(maskedCode('`${'.repeat(20_000), 'typescript').length, 60_000);
  });

  it('exclude regular expressions, which can contain quotes', () => {
    const call = 'call(/[`/"]Not/gi, aa); bb = cc / dd / "Text".length;';
    assert.deepEqual(names(call, 'javascript'), ['call', 'aa', 'bb', 'cc', 'dd', 'length']);
    assert.equal(masked('return /`/.test(a) ? <b>it</b> : `Text`', 'typescriptreact'), 'return .test(a) ? <b>it</b> :');
    assert.equal(masked('(a) => /Not`/u; b(a) / 2 /* ` */ / c', 'typescript'), '(a) => ; b(a) / 2 / c');
  });

  it('exclude regular expressions that are statements, and no divisions after other parentheses', () => {
    const masks: readonly (readonly [string, string])[] = [
      ['if (a(b)) /Not`/.test(c)', 'if (a(b)) .test(c)'],
      ['while (a) /Not"/.exec(b); x', 'while (a) .exec(b); x'],
      ["for await (const a of b)\n  /Not'/g.test(a); x", 'for await (const a of b) .test(a); x'],
      ['if (a) { b } (c) / d / `e`', 'if (a) { b } (c) / d /'],
      ['x = (a + b) / c / "d"', 'x = (a + b) / c /'],
      ['x = a.if(b) / c / "d"; y', 'x = a.if(b) / c / ; y'],
      ['x = notif(b) / c / "d"; y', 'x = notif(b) / c / ; y'],
      ['if (a) b = (c) / d / "e"; y', 'if (a) b = (c) / d / ; y'],
      ['`${(a)}` / b / "c"; if (a) /Not/.x', '(a) / b / ; if (a) .x'],
    ];
    for (const [code, kept] of masks) assert.equal(masked(code, 'typescript'), kept);
  });

  it('have their most relevant position, each once', () => {
    const code = 'x.save; save(save)';
    assert.deepEqual(usedNames(code, 'javascript', 5), [{ name: 'save', offset: 8 }]);
    assert.equal(usedNames('aa bb cc', 'go', 2).length, 2);
  });
});
