import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { matchingRows } from '../../../../src/core/models/matchingRows.ts';
import { LateRow } from '../../../../src/vscode/models/lateRow.ts';
import { ModelIndex } from '../../../../src/core/models/modelIndex.ts';
import { modelRef } from '../../../../src/shared/modelRef.ts';

const separator = -1;
const services = 20;
const each = 2000;

/** Rows of 20 services with 2,000 models each, and how many of them were worded. */
function longList() {
  let worded = 0;
  const index = ModelIndex.joined(
    Array.from(
      { length: services },
      (_, service) =>
        new ModelIndex(
          Array.from({ length: each }, (_model, at) => ({
            id: modelRef(`s${service}`, `maker/model-${service}-${at}`),
            raw: {},
          })),
        ),
    ),
  );
  const say = ({ name }: { readonly name: string }) => {
    worded += 1;
    return { label: name, description: name === 'maker/model-19-1999' ? 'fastest' : '8k context', buttons: [] };
  };
  const groups = Map.groupBy(index.models, ({ service }) => service);
  const rows = [
    ...[...groups].flatMap(([label, models]) => [
      { label, kind: separator },
      ...models.map((entry) => new LateRow(entry, say)),
    ]),
    { label: 'Not Available', kind: separator },
    { label: 'Down: not reached' },
  ];
  return { rows, index, worded: () => worded };
}

describe('The rows of a long model list', () => {
  it("are cut to a thousand, with the services that are down, and no row's text is built for that", () => {
    const { rows, worded } = longList();
    const shown = matchingRows(rows, ' ');
    assert.equal(shown.filter((row) => 'model' in row).length, 1000);
    assert.deepEqual(
      shown.filter((row) => !('model' in row)).map(({ label }) => label),
      ['s0', 'Not Available', 'Down: not reached'],
    );
    assert.equal(worded(), 0);
  });

  it('are found by the name of any model, below the heading of its service', () => {
    const { rows } = longList();
    const labels = matchingRows(rows, 'MODEL-19-1998').map(({ label }) => label);
    assert.ok(labels.includes('maker/model-19-1998'));
    // VS Code's own search also takes other names with these characters in this order.
    const others = labels.filter((label) => !label.startsWith('maker/model-19-1'));
    assert.deepEqual(others, ['s19', 'Not Available', 'Down: not reached']);
  });

  it('are cut to the best matches, and not to headings, with every key', () => {
    const { rows, worded } = longList();
    const shown = matchingRows(rows, 'model');
    assert.equal(shown.filter((row) => 'model' in row).length, 300);
    assert.equal(worded(), 0);
  });

  it("are found by what they say about a model, for example that it's the fastest", () => {
    const { rows } = longList();
    const labels = matchingRows(rows, 'fastest').map(({ label }) => label);
    assert.deepEqual(labels.slice(0, 2), ['s19', 'maker/model-19-1999']);
  });

  it('stay unchanged if there are few', () => {
    const { rows } = longList();
    const few = rows.slice(0, 300);
    assert.equal(matchingRows(few, 'nothing like it'), few);
  });

  it('find a model of any service by its ID, and none of a service that lacks it', () => {
    const { index } = longList();
    assert.equal(index.models.length, services * each);
    assert.equal(index.find(modelRef('s7', 'maker/model-7-42'))?.service, 's7');
    assert.equal(index.find(modelRef('s7', 'maker/model-8-42')), undefined);
    assert.equal(index.find(modelRef('gone', 'maker/model-8-42')), undefined);
  });
});
