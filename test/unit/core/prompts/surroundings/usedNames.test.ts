import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
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

  it('have their most relevant position, each once', () => {
    const code = 'x.save; save(save)';
    assert.deepEqual(usedNames(code, 'javascript', 5), [{ name: 'save', offset: 8 }]);
    assert.equal(usedNames('aa bb cc', 'go', 2).length, 2);
  });
});
