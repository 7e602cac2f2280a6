import assert from 'node:assert/strict';
import type { MessageView } from '../../../../../src/shared/chat.ts';
import { maxTextLength } from '../../../../../src/shared/messageLimits.ts';
import type { ToHost } from '../../../../../src/shared/protocol/chatProtocol.ts';
import { DraftKeeper } from '../../../../../src/webview/chat/page/draftKeeper.ts';
import { type KeptState, PageMemory } from '../../../../../src/webview/chat/page/pageMemory.ts';
import type { Host } from '../../../../../src/webview/kit/host/host.ts';

class MemoryHost implements Omit<Host<KeptState, ToHost, never>, 'listen'> {
  readonly posted: ToHost[] = [];
  kept: unknown;
  /** How often it was told to remember something. */
  told = 0;

  post(message: ToHost): void {
    this.posted.push(message);
  }

  recall(): unknown {
    return this.kept;
  }

  remember(state: KeptState): void {
    this.kept = state;
    this.told += 1;
  }

  /** Without the version, which differs each time. */
  get remembered(): unknown {
    const { version: _version, ...state } = new PageMemory(this).state;
    return state;
  }

  /** The posted drafts. */
  get drafts(): readonly string[] {
    return this.posted.map((message) =>
      message.type === 'draftChanged' ? `${message.conversationId}: ${message.text}` : message.type,
    );
  }

  /** The last draft's. */
  get version(): number {
    const last = this.posted.at(-1);
    assert.ok(last?.type === 'draftChanged');
    return last.version;
  }
}

function keeperOf(host: MemoryHost): DraftKeeper {
  return new DraftKeeper(host, new PageMemory(host));
}

function question(id: string, text: string): MessageView {
  return { role: 'user', id, at: 1, text };
}

const nothing = { asked: [], edits: [], wrapsCode: false };

describe('DraftKeeper', () => {
  let host: MemoryHost;
  let keeper: DraftKeeper;
  beforeEach(() => {
    host = new MemoryHost();
    keeper = keeperOf(host);
  });

  it('stores nothing again when a message arrives and no text is waiting to be stored', () => {
    keeper.opened('c1', '', []);
    const before = host.told;
    assert.equal(keeper.arrived('A question from another page'), false);
    assert.equal(host.told, before);
  });

  it("starts with the host's draft", () => {
    assert.equal(keeper.opened('c1', 'Hello', []), 'Hello');
    assert.deepEqual(host.posted, []);
    assert.deepEqual(host.remembered, { conversationId: 'c1', draft: 'Hello', unposted: false, ...nothing });
  });

  it("remembers at once, and posts once when it's flushed", () => {
    keeper.opened('c1', '', []);
    keeper.changed('Hel');
    keeper.changed('Hello');
    assert.deepEqual(host.remembered, { conversationId: 'c1', draft: 'Hello', unposted: true, ...nothing });
    keeper.flush();
    keeper.flush();
    assert.deepEqual(host.drafts, ['c1: Hello']);
  });

  it('restores, and posts again, a draft that no host has confirmed', () => {
    keeper.opened('c1', '', []);
    keeper.changed('Hello');
    keeper.flush();
    host.posted.length = 0;
    assert.equal(keeperOf(host).opened('c1', 'Hel', []), 'Hello');
    assert.deepEqual(host.drafts, ['c1: Hello']);
  });

  it('leaves the draft to the host that has confirmed it', () => {
    keeper.opened('c1', '', []);
    keeper.changed('Hello');
    keeper.flush();
    keeper.saved('c1', host.version);
    assert.equal(keeperOf(host).opened('c1', 'Changed in another tab', []), 'Changed in another tab');
  });

  it('leaves the draft to the host that has received it, even if no confirmation reached the page', () => {
    keeper.opened('c1', '', []);
    keeper.changed('Hello');
    keeper.flush();
    const { version } = host;
    const kept = host.kept;
    for (const draft of ['Hello there', '']) {
      host.kept = kept;
      host.posted.length = 0;
      assert.equal(keeperOf(host).opened('c1', draft, [], version), draft);
      assert.deepEqual(host.posted, []);
    }
    host.kept = kept;
    assert.equal(keeperOf(host).opened('c1', 'Hel', [], version - 1), 'Hello');
  });

  it('leaves the draft to the host that has received a message, whether or not that has been added', () => {
    keeper.opened('c1', '', []);
    keeper.changed('Hello');
    const version = keeper.asked('Hello', 'u1');
    const kept = host.kept;
    const messages = [question('u1', ''), question('u2', 'Hello')];
    assert.equal(keeperOf(host).opened('c1', 'Typed elsewhere', messages, version), 'Typed elsewhere');
    host.kept = kept;
    const later = keeperOf(host);
    assert.equal(later.opened('c1', 'Hello there', [], version), 'Hello there');
    assert.equal(later.arrived('Hello'), true);
    assert.deepEqual(host.posted, []);
  });

  it('keeps what was typed after a message that the host has received', () => {
    keeper.opened('c1', '', []);
    const version = keeper.asked('First', undefined);
    keeper.changed('Second');
    assert.equal(keeperOf(host).opened('c1', '', [question('u1', 'First')], version), 'Second');
  });

  it('restores a message that the host has received and neither added nor refused only if the host is gone', () => {
    keeper.opened('c1', '', []);
    keeper.asked('First', undefined);
    keeper.changed('Second');
    keeper.flush();
    const { version } = host;
    assert.equal(keeperOf(host).opened('c1', 'Second', [], version), 'Second');
    assert.equal(keeperOf(host).opened('c1', 'Second', [], version), 'Second');
    const kept = host.kept;
    assert.equal(keeperOf(host).opened('c1', 'Second', []), 'First\n\nSecond');
    host.kept = kept;
    const refused = 'First\n\nSecond';
    assert.equal(keeperOf(host).opened('c1', refused, [], version), refused);
    assert.equal(keeperOf(host).opened('c1', 'Second', []), 'Second');
  });

  it('leaves the draft to the host when another page has replaced it after a message was sent', () => {
    keeper.opened('c1', '', []);
    const version = keeper.asked('Hello', undefined);
    keeper.replaced('c1', 'Typed elsewhere');
    assert.equal(keeperOf(host).opened('c1', 'Typed elsewhere', [], version), 'Typed elsewhere');
  });

  it("doesn't accept a confirmation of an earlier draft, or from another page", () => {
    keeper.opened('c1', '', []);
    keeper.changed('Hel');
    keeper.flush();
    const { version } = host;
    keeper.changed('Hello');
    keeper.saved('c1', version);
    keeper.flush();
    keeper.saved('c2', host.version);
    keeper.saved('c1', 1);
    assert.equal(keeperOf(host).opened('c1', 'Hel', []), 'Hello');
  });

  it("doesn't restore the draft of one conversation in another", () => {
    keeper.opened('c1', '', []);
    keeper.changed('Hello');
    keeper.asked('Hello', undefined);
    keeper.changed('More');
    assert.equal(keeperOf(host).opened('c2', '', []), '');
  });

  it('takes over what another page of the window made of the draft, and posts nothing', () => {
    keeper.opened('c1', '', []);
    keeper.changed('Hello');
    keeper.flush();
    assert.equal(keeper.replaced('c1', 'Hello there'), true);
    assert.equal(keeper.replaced('c1', ''), true);
    keeper.saved('c1', host.version);
    keeper.flush();
    assert.deepEqual(host.drafts, ['c1: Hello']);
    assert.equal(keeperOf(host).opened('c1', 'Of the host', []), 'Of the host');
  });

  it("isn't replaced while the user is typing it, if it's too long for the host, or in another conversation", () => {
    keeper.opened('c1', '', []);
    keeper.changed('Hello');
    assert.equal(keeper.replaced('c1', 'Other'), false);
    keeper.flush();
    assert.equal(keeper.replaced('c2', 'Other'), false);
    keeper.changed('x'.repeat(maxTextLength + 1));
    keeper.flush();
    assert.equal(keeper.replaced('c1', 'Other'), false);
    assert.deepEqual(host.drafts, ['c1: Hello']);
  });

  it('posts nothing of a draft that is being sent as a message', () => {
    keeper.opened('c1', '', []);
    keeper.changed('Hello');
    keeper.asked('Hello', undefined);
    keeper.flush();
    assert.deepEqual(host.posted, []);
  });

  it('restores what was sent and never arrived, above what was typed since', () => {
    keeper.opened('c1', '', []);
    keeper.asked('First', 'u1');
    keeper.asked('Second', 'u1');
    keeper.changed('Third');
    const messages = [question('u0', 'First'), question('u1', 'Second')];
    assert.equal(keeperOf(host).opened('c1', 'Fir', messages), 'First\n\nSecond\n\nThird');
  });

  it("doesn't restore what has arrived or was returned", () => {
    keeper.opened('c1', '', []);
    for (const text of ['Shown', 'Told', 'Refused']) keeper.asked(text, 'u1');
    assert.equal(keeper.arrived('Told'), false);
    keeper.refused('Refused');
    assert.equal(keeperOf(host).opened('c1', '', [question('u1', ''), question('u2', 'Shown')]), '');
  });

  it('reports once when a message with restored text arrives', () => {
    keeper.opened('c1', '', []);
    keeper.asked('Hello', undefined);
    const later = keeperOf(host);
    later.opened('c1', '', []);
    assert.equal(later.arrived('Hello'), true);
    assert.equal(later.arrived('Hello'), false);
  });

  it('leaves alone what this page is sending when its conversation is finally shown', () => {
    host.kept = { conversationId: 'c1', draft: '', unposted: false };
    const early = keeperOf(host);
    early.changed('Hello');
    early.asked('Hello', undefined);
    assert.equal(early.opened('c1', '', []), '');
    assert.equal(keeperOf(host).opened('c1', '', []), 'Hello');
  });

  it('posts a waiting draft to its own conversation when another one is opened', () => {
    keeper.opened('c1', '', []);
    keeper.changed('Hello');
    assert.equal(keeper.opened('c2', 'Other', []), 'Other');
    keeper.flush();
    assert.deepEqual(host.drafts, ['c1: Hello']);
    assert.deepEqual(host.remembered, { conversationId: 'c2', draft: 'Other', unposted: false, ...nothing });
  });

  it('keeps what is being edited when another conversation is opened', () => {
    const edits = [{ messageId: 'u1', text: 'Better' }];
    host.kept = { conversationId: 'c1', draft: '', unposted: false, edits };
    keeperOf(host).opened('c2', '', []);
    assert.deepEqual(host.remembered, { conversationId: 'c2', draft: '', unposted: false, ...nothing, edits });
  });

  it('puts what was typed before a conversation was shown below its draft, whether kept or received', () => {
    host.kept = { conversationId: 'c1', draft: 'Kept', unposted: true };
    const late = keeperOf(host);
    late.changed('Typed');
    assert.deepEqual(host.kept, { conversationId: 'c1', draft: 'Kept', unposted: true });
    assert.equal(late.opened('c1', 'Given', []), 'Kept\n\nTyped');
    assert.deepEqual(host.drafts, ['c1: Kept\n\nTyped']);
    keeper.changed('Typed');
    assert.equal(keeper.opened('c1', '', []), 'Typed');
  });

  it('posts nothing that is too long for the host, and keeps it', () => {
    keeper.opened('c1', '', []);
    const draft = 'x'.repeat(4 * 1024 * 1024 + 1);
    keeper.changed(draft);
    keeper.flush();
    assert.deepEqual(host.posted, []);
    assert.deepEqual(host.remembered, { conversationId: 'c1', draft, unposted: true, ...nothing });
  });

  it('ignores stored state in another form', () => {
    for (const kept of [null, 'x', {}, { conversationId: 'c1', draft: 5, unposted: true }]) {
      host.kept = kept;
      assert.equal(keeperOf(host).opened('c1', 'Hello', []), 'Hello');
    }
    host.kept = { conversationId: 'c1', draft: 'Kept', unposted: true, asked: [1, {}, { text: 5, after: '' }] };
    assert.equal(keeperOf(host).opened('c1', 'Hello', []), 'Kept');
  });
});
