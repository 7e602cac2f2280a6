import assert from 'node:assert/strict';
import { meantRow } from '../../../../src/vscode/models/meantRow.ts';

const rows = (...labels: readonly string[]) => labels.map((label) => ({ label }));

describe('The row that a user selected', () => {
  const before = rows('Use "local/slow"', 'local/slow');
  const now = rows('Favorites', 'local/writer', 'local/slow');

  it('is the one that VS Code names, if it matches the typed text', () => {
    assert.equal(meantRow(now[2], now, before, 'slow'), now[2]);
    assert.equal(meantRow(now[1], now, before, ''), now[1]);
    assert.equal(meantRow(undefined, now, before, 'slow'), undefined);
  });

  it('is the one that was there before, if a new list arrived just before the key was pressed', () => {
    assert.equal(meantRow(now[1], now, before, 'local/slow'), before[1]);
  });

  it('stays the one that VS Code names, if neither matches', () => {
    assert.equal(meantRow(now[1], now, rows('a', 'b'), 'local/slow'), now[1]);
    assert.equal(meantRow(now[2], now, rows('a'), 'xyz'), now[2]);
  });

  it('can be one that is always shown', () => {
    const retry = { label: 'Retry', alwaysShow: true };
    assert.equal(meantRow(retry, [retry], before, 'local/slow'), retry);
  });
});
