import assert from 'node:assert/strict';
import type { CheckColumnView, ChecksView } from '../../../../src/shared/checks.ts';
import { columnsNote } from '../../../../src/webview/checks/columnsNote.ts';

const column = (model: string, counted: number, isFinished: boolean): CheckColumnView => ({
  key: model,
  model,
  passed: counted,
  counted,
  undecided: 0,
  passesAll: false,
  isFinished,
  isEstimate: false,
});
const noteOf = (...columns: readonly CheckColumnView[]) =>
  columnsNote({
    files: [],
    columns,
    order: 'name',
    isRunning: false,
    cost: 0,
    isCostAtLeast: false,
    isCostEstimate: false,
    repeat: [1, 1],
  } satisfies ChecksView);

describe('What the table of checks says if no model passes every case', () => {
  it('names the model whose passes say most: one that was run on all of its cases, then the one with most runs', () => {
    const [few, many, all] = [column('few', 1, false), column('many', 20, false), column('all', 8, true)];
    assert.match(noteOf(few, many, all), /No model passes every case\. all passes/);
    assert.match(noteOf(few, many), /many passes/);
    assert.match(noteOf(column('other', 2, true), all, many), /all passes/);
  });
});
