import assert from 'node:assert/strict';
import { fieldPlaces } from '../../../../src/core/checks/fieldPlaces.ts';

const at = (...lines: readonly string[]) =>
  fieldPlaces(lines).map(({ parent = 'file', prefix }) => `${prefix}${parent}`);

describe('The place of a field in a file of checks', () => {
  const file = ['repeat: 2', 'cases:', '  - name: A', '    assert:', '      - type: contains'];

  it('is in the expectation above, at the column of its fields', () => {
    assert.deepEqual(at(...file, '        '), ['assert']);
    assert.deepEqual(at(...file, '        val'), ['assert']);
    // Where the editor leaves a new line: below the dash.
    assert.deepEqual(at(...file, '      '), ['  assert']);
    assert.deepEqual(at(...file, '      val'), ['  assert']);
    assert.deepEqual(at(...file, '       '), [' assert']);
    assert.deepEqual(at(...file, '', '        # why', '        value: x', '        '), ['assert']);
  });

  it('is in a new item after a dash, and in the case or the file with less indentation', () => {
    assert.deepEqual(at(...file, '      - '), ['assert']);
    assert.deepEqual(at(...file, '    '), ['cases']);
    assert.deepEqual(at(...file, '  '), ['  cases']);
    assert.deepEqual(at(...file, '  - '), ['cases']);
    assert.deepEqual(at(...file, ''), ['file']);
    assert.deepEqual(at('repeat: 2', 'mod'), ['file']);
  });

  it('begins an item where a list has none yet', () => {
    assert.deepEqual(at('cases:', '  '), ['- cases']);
    assert.deepEqual(at(...file.slice(0, 4), '      '), ['- assert']);
    assert.deepEqual(at('cases:', '  - name: A', '    vars:', '      '), ['vars']);
  });

  it('can be in the last item or after it in a list below its key without indentation', () => {
    assert.deepEqual(at('cases:', '- name: A', ''), ['  cases', 'file']);
    assert.deepEqual(at('cases:', '- name: A', '  '), ['cases']);
    const flat = ['cases:', '  - name: A', '    assert:', '    - type: contains'];
    assert.deepEqual(at(...flat, '    '), ['  assert', 'cases']);
    assert.deepEqual(at(...flat, '    - '), ['assert']);
  });
});
