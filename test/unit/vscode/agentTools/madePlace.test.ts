import assert from 'node:assert/strict';
import { madePlace } from '../../../../src/vscode/agentTools/madePlace.ts';

describe('The location that an agent gets', () => {
  it('is the path of the file, and its URL', () => {
    const place = { path: '/media/a.mp4', url: 'https://files.test/a.mp4', isElsewhere: false };
    assert.equal(madePlace(place), '/media/a.mp4 · https://files.test/a.mp4');
  });

  it("isn't a path on the user's own computer in a remote window", () => {
    const place = madePlace({ path: '/home/person/media/a.mp4', isElsewhere: true });
    assert.ok(!place.includes('/home/person'), place);
    assert.match(place, /Media view/);
  });
});
