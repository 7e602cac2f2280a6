import assert from 'node:assert/strict';
import * as v from 'valibot';
import { compareMessageSchema } from '../../../../src/vscode/compare/compareMessage.ts';

const uuid = '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11';

describe("A message from a comparison's page", () => {
  it('is accepted if the page itself or its message box can send it, without unknown fields', () => {
    for (const message of [
      { type: 'ready' },
      { type: 'vote', turnId: 't1', choice: { columnId: 'a' } },
      { type: 'openAttachment', id: uuid },
      { type: 'copyText', text: 'Hello' },
    ]) {
      assert.deepEqual(v.parse(compareMessageSchema, { ...message, command: 'x' }), message);
    }
  });

  it("is refused if only a chat page can send it, or if it's outside the limits", () => {
    for (const message of [
      { type: 'ask', conversationId: uuid, text: 'Hello', attachments: [], version: 1 },
      { type: 'showModels' },
      { type: 'setBlind', isBlind: 'yes' },
      { type: 'openAttachment', id: '' },
      undefined,
    ]) {
      assert.equal(v.is(compareMessageSchema, message), false, JSON.stringify(message));
    }
  });
});
