import assert from 'node:assert/strict';
import type { LoggedRequest } from '../../../../../src/core/requests/requestLog.ts';
import { requestOfAttempt } from '../../../../../src/vscode/requests/log/requestOfAttempt.ts';

describe('The request of an attempt', () => {
  /** Three pages, the newest of which is loaded. */
  function historyOf() {
    const pages = ['a3', 'a2', 'a1'].map((attempt) => [
      { id: `r-${attempt}`, origin: { kind: 'experiment', experiment: { id: 'e', attempt } } },
    ]);
    let loaded = 1;
    return {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of a request is read
      requests: () => Promise.resolve(pages.slice(0, loaded).flat() as unknown as readonly LoggedRequest[]),
      get hasOlder() {
        return loaded < pages.length;
      },
      loadOlder: () => Promise.resolve(void (loaded += 1)),
      loaded: () => loaded,
    };
  }

  it('is found among older ones that no list has loaded yet, and no more are loaded than needed', async () => {
    const history = historyOf();
    assert.equal((await requestOfAttempt(history, 'a2', 'e'))?.id, 'r-a2');
    assert.equal(history.loaded(), 2);
    assert.equal((await requestOfAttempt(history, 'a3', 'e'))?.id, 'r-a3');
    assert.equal(history.loaded(), 2);
  });

  it('is found without its experiment, as for a check that ran long ago', async () => {
    const history = historyOf();
    assert.equal((await requestOfAttempt(history, 'a1'))?.id, 'r-a1');
    assert.equal(history.loaded(), 3);
  });

  it("isn't found if it was deleted, or is another experiment's", async () => {
    assert.equal(await requestOfAttempt(historyOf(), 'a9', 'e'), undefined);
    assert.equal(await requestOfAttempt(historyOf(), 'a1', 'other'), undefined);
  });
});
