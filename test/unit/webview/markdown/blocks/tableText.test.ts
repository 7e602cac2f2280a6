import assert from 'node:assert/strict';
import { commaSeparated, tabSeparated } from '../../../../../src/webview/markdown/blocks/tableText.ts';

describe('A table in a reply', () => {
  const rows = [['name', 'change'], ['a, "b"', '-5.5'], ['two\nlines']];

  it('is copied with tabs between its cells, and one line per row', () => {
    assert.equal(tabSeparated(rows), 'name\tchange\na, "b"\t-5.5\ntwo lines\n');
  });

  it('is copied as CSV with rows of the same width', () => {
    assert.equal(commaSeparated(rows), 'name,change\r\n"a, ""b""",-5.5\r\n"two\nlines",\r\n');
  });

  it('is CSV that no spreadsheet runs, and numbers stay numbers', () => {
    assert.equal(tabSeparated([['=1+1', '-1+2', '@a', '-7']]), "'=1+1\t'-1+2\t'@a\t-7\n");
    assert.equal(commaSeparated([['=1+1', '-1+2', '@a', '-7', '−7', '-0.50']]), "'=1+1,'-1+2,'@a,-7,−7,'-0.50\r\n");
  });
});
