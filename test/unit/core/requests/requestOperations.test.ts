import assert from 'node:assert/strict';
import { requestOperations } from '../../../../src/core/requests/requestOperations.ts';

describe('A request that is run again', () => {
  it('has its limit under the usual name, because another model might not know the one that was needed', async () => {
    const body = { model: 'maker/thinker', messages: [], stream: true };
    const again = await requestOperations.chat.again?.({ ...body, max_completion_tokens: 800 }, false);
    assert.ok(again !== undefined && 'request' in again);
    assert.deepEqual(again.request, { ...body, max_tokens: 800 });
  });

  it("doesn't ask for usage because the first one did, which not every service accepts", async () => {
    const body = { model: 'maker/thinker', messages: [], stream: true };
    const again = await requestOperations.chat.again?.({ ...body, stream_options: { include_usage: true } }, true);
    assert.ok(again !== undefined && 'request' in again);
    assert.deepEqual(again.request, body);
  });
});
