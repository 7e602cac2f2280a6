import assert from 'node:assert/strict';
import { isUnder } from '../../../../src/core/checks/isUnder.ts';

describe('A path below folders', () => {
  const folders = new Set(['/a/b', '/c']);

  it('is in one of them, at any depth', () => {
    for (const path of ['/a/b/c', '/a/b/c/d/e', '/c/a']) assert.equal(isUnder(path, folders), true, path);
  });

  it('is neither a folder itself, nor one above, nor one with a longer name', () => {
    for (const path of ['/a/b', '/a', '/a/bc', '/a/bc/d', '/d/c', '/', ''])
      assert.equal(isUnder(path, folders), false, path);
  });
});
