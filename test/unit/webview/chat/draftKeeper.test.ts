import assert from 'node:assert/strict';
import type { ToHost } from '../../../../src/shared/chatProtocol.ts';
import { DraftKeeper, type KeptState } from '../../../../src/webview/chat/draftKeeper.ts';
import type { Host } from '../../../../src/webview/host.ts';

class MemoryHost implements Host<KeptState> {
  readonly posted: ToHost[] = [];
  kept: unknown;

  post(message: ToHost): void {
    this.posted.push(message);
  }

  recall(): unknown {
    return this.kept;
  }

  remember(state: KeptState): void {
    this.kept = state;
  }
}

describe('DraftKeeper', () => {
  it('starts with the draft of the host', () => {
    const host = new MemoryHost();
    assert.equal(new DraftKeeper(host).opened('c1', 'Hello'), 'Hello');
    assert.deepEqual(host.posted, []);
    assert.deepEqual(host.kept, { conversationId: 'c1', draft: 'Hello', unposted: false });
  });

  it('remembers at once and posts when it is flushed, once', () => {
    const host = new MemoryHost();
    const keeper = new DraftKeeper(host);
    keeper.opened('c1', '');
    keeper.changed('Hel');
    keeper.changed('Hello');
    assert.deepEqual(host.kept, { conversationId: 'c1', draft: 'Hello', unposted: true });
    keeper.flush();
    keeper.flush();
    assert.deepEqual(host.posted, [{ type: 'draftChanged', text: 'Hello' }]);
  });

  it('brings back, and posts, a draft that may not have reached the host', () => {
    const host = new MemoryHost();
    const first = new DraftKeeper(host);
    first.opened('c1', '');
    first.changed('Hello');
    first.leave();
    host.posted.length = 0;
    assert.equal(new DraftKeeper(host).opened('c1', 'Hel'), 'Hello');
    assert.deepEqual(host.posted, [{ type: 'draftChanged', text: 'Hello' }]);
  });

  it('does not bring the draft of one conversation into another', () => {
    const host = new MemoryHost();
    const keeper = new DraftKeeper(host);
    keeper.opened('c1', '');
    keeper.changed('Hello');
    keeper.leave();
    assert.equal(new DraftKeeper(host).opened('c2', ''), '');
  });

  it('posts nothing after the host set the draft itself', () => {
    const host = new MemoryHost();
    const keeper = new DraftKeeper(host);
    keeper.opened('c1', '');
    keeper.changed('Hello');
    keeper.replaced('');
    keeper.flush();
    assert.deepEqual(host.posted, []);
  });

  it('tells the host that there is no draft once it was sent', () => {
    const host = new MemoryHost();
    const keeper = new DraftKeeper(host);
    keeper.opened('c1', '');
    keeper.changed('Hello');
    keeper.sent();
    keeper.flush();
    assert.deepEqual(host.posted, [{ type: 'draftChanged', text: '' }]);
  });

  it('does not post a draft that waits into the conversation that is opened', () => {
    const host = new MemoryHost();
    const keeper = new DraftKeeper(host);
    keeper.opened('c1', '');
    keeper.changed('Hello');
    keeper.opened('c2', 'Other');
    keeper.flush();
    assert.deepEqual(host.posted, []);
  });

  it('takes no notice of memory that has another form', () => {
    for (const kept of [null, 'x', {}, { conversationId: 'c1', draft: 5, unposted: true }]) {
      const host = new MemoryHost();
      host.kept = kept;
      assert.equal(new DraftKeeper(host).opened('c1', 'Hello'), 'Hello');
    }
  });
});
