import assert from 'node:assert/strict';
import { streamForLong } from '../bench/rows/soak.ts';

const minutes = Number(process.env['PARLANCE_SOAK_MINUTES'] ?? 30);

describe('A chat in which replies are streamed for a long time', () => {
  it(`leaves no more memory in use in the extension host at the end than near the beginning: ${minutes} minutes`, async () => {
    const { figures, faults } = await streamForLong(minutes, console.log);
    for (const { name, value, unit } of figures) console.log(`${name}: ${value} ${unit}`);
    assert.ok(figures.some(({ met }) => met !== undefined));
    const missed = figures.filter(({ met }) => met === false);
    assert.deepEqual({ missed, faults }, { missed: [], faults: [] });
  });
});
