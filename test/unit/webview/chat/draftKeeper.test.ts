import assert from 'node:assert/strict';
import type { ToHost } from '../../../../src/shared/chatProtocol.ts';
import { DraftKeeper } from '../../../../src/webview/chat/draftKeeper.ts';
import { type KeptState, PageMemory } from '../../../../src/webview/chat/pageMemory.ts';
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

function keeperOf(host: MemoryHost): DraftKeeper {
  return new DraftKeeper(host, new PageMemory(host));
}

describe('DraftKeeper', () => {
  it('starts with the draft of the host', () => {
    const host = new MemoryHost();
    assert.equal(keeperOf(host).opened('c1', 'Hello'), 'Hello');
    assert.deepEqual(host.posted, []);
    assert.deepEqual(host.kept, { conversationId: 'c1', draft: 'Hello', unposted: false, edits: [] });
  });

  it('remembers at once and posts when it is flushed, once', () => {
    const host = new MemoryHost();
    const keeper = keeperOf(host);
    keeper.opened('c1', '');
    keeper.changed('Hel');
    keeper.changed('Hello');
    assert.deepEqual(host.kept, { conversationId: 'c1', draft: 'Hello', unposted: true, edits: [] });
    keeper.flush();
    keeper.flush();
    assert.deepEqual(host.posted, [{ type: 'draftChanged', conversationId: 'c1', text: 'Hello' }]);
  });

  it('brings back, and posts, a draft that may not have reached the host', () => {
    const host = new MemoryHost();
    const first = keeperOf(host);
    first.opened('c1', '');
    first.changed('Hello');
    first.leave();
    host.posted.length = 0;
    assert.equal(keeperOf(host).opened('c1', 'Hel'), 'Hello');
    assert.deepEqual(host.posted, [{ type: 'draftChanged', conversationId: 'c1', text: 'Hello' }]);
  });

  it('does not bring the draft of one conversation into another', () => {
    const host = new MemoryHost();
    const keeper = keeperOf(host);
    keeper.opened('c1', '');
    keeper.changed('Hello');
    keeper.leave();
    assert.equal(keeperOf(host).opened('c2', ''), '');
  });

  it('posts nothing after the host set the draft itself', () => {
    const host = new MemoryHost();
    const keeper = keeperOf(host);
    keeper.opened('c1', '');
    keeper.changed('Hello');
    keeper.replaced('');
    keeper.flush();
    assert.deepEqual(host.posted, []);
  });

  it('says nothing of a draft that has become a message', () => {
    const host = new MemoryHost();
    const keeper = keeperOf(host);
    keeper.opened('c1', '');
    keeper.changed('Hello');
    keeper.replaced('');
    keeper.flush();
    keeper.leave();
    assert.deepEqual(host.posted, []);
    assert.deepEqual(host.kept, { conversationId: 'c1', draft: '', unposted: false, edits: [] });
  });

  it('posts a draft that waits to its own conversation when another is opened', () => {
    const host = new MemoryHost();
    const keeper = keeperOf(host);
    keeper.opened('c1', '');
    keeper.changed('Hello');
    assert.equal(keeper.opened('c2', 'Other'), 'Other');
    keeper.flush();
    assert.deepEqual(host.posted, [{ type: 'draftChanged', conversationId: 'c1', text: 'Hello' }]);
    assert.deepEqual(host.kept, { conversationId: 'c2', draft: 'Other', unposted: false, edits: [] });
  });

  it('puts what was typed before a conversation was shown below its draft, kept or given', () => {
    const host = new MemoryHost();
    host.kept = { conversationId: 'c1', draft: 'Kept', unposted: true };
    const keeper = keeperOf(host);
    keeper.changed('Typed');
    assert.deepEqual(host.kept, { conversationId: 'c1', draft: 'Kept', unposted: true });
    assert.equal(keeper.opened('c1', 'Given'), 'Kept\n\nTyped');
    assert.deepEqual(host.posted, [{ type: 'draftChanged', conversationId: 'c1', text: 'Kept\n\nTyped' }]);
    const other = keeperOf(new MemoryHost());
    other.changed('Typed');
    assert.equal(other.opened('c1', ''), 'Typed');
  });

  it('posts nothing that is too long for the host, and keeps it', () => {
    const host = new MemoryHost();
    const keeper = keeperOf(host);
    keeper.opened('c1', '');
    const draft = 'x'.repeat(4 * 1024 * 1024 + 1);
    keeper.changed(draft);
    keeper.flush();
    assert.deepEqual(host.posted, []);
    assert.deepEqual(host.kept, { conversationId: 'c1', draft, unposted: true, edits: [] });
  });

  it('takes no notice of memory that has another form', () => {
    for (const kept of [null, 'x', {}, { conversationId: 'c1', draft: 5, unposted: true }]) {
      const host = new MemoryHost();
      host.kept = kept;
      assert.equal(keeperOf(host).opened('c1', 'Hello'), 'Hello');
    }
  });
});
