import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatEvent } from '../../../../src/api/types.ts';
import type { InferenceCalls } from '../../../../src/core/requests/inferenceCalls.ts';
import type { Attachment } from '../../../../src/shared/attachment.ts';
import { ConversationStore } from '../../../../src/vscode/conversations/conversationStore.ts';
import { OpenConversations } from '../../../../src/vscode/conversations/openConversations.ts';
import { about, withFaults } from '../disk/faultyDisk.ts';
import { attachmentsIn } from '../attachments/attachmentsIn.ts';

/** Replies with one word, immediately. */
const client: Pick<InferenceCalls, 'stream'> = {
  async *stream(): AsyncIterable<ChatEvent> {
    yield { type: 'text', text: 'Fine' };
    yield { type: 'end', complete: true };
  },
};

describe('Open conversations', () => {
  let folder: string;
  let errors: unknown[];
  const windows: OpenConversations[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-open-'));
    errors = [];
  });
  afterEach(async () => {
    await Promise.all(windows.splice(0).map((window) => window.dispose()));
    await rm(folder, { recursive: true, force: true });
  });

  function windowNamed(writer: string): OpenConversations {
    const onError = (error: unknown) => errors.push(error);
    const kept = attachmentsIn(folder);
    const store = new ConversationStore({
      folder: join(folder, 'conversations'),
      attachments: kept,
      writer,
      onError,
    });
    const source = (id: string) => ({
      read: (attachment: Attachment) => kept.read(id, attachment),

      seesPictures: () => undefined,
    });
    const deps = {
      clientFor: () => client,
      store,
      attachments: { store: kept, source },
      writer,
      redact: <T>(failure: T) => failure,
      onUnexpected: onError,
    };
    const window = new OpenConversations(deps);
    windows.push(window);
    return window;
  }

  it('exist once, no matter how many pages show them', async () => {
    const window = windowNamed('w1');
    const [first, second] = await Promise.all([window.open('c1'), window.open('c1')]);
    assert.equal(first.session, second.session);
  });

  it('are all in their files for the list, which is read from those, as soon as it waits for that', async () => {
    const window = windowNamed('w1');
    for (const id of ['c1', 'c2']) await (await window.open(id)).session.ask(`Question ${id}`, 'm', {});
    await window.allSettled();
    const read = (id: string) => readFile(join(folder, 'conversations', `${id}.jsonl`), 'utf8');
    for (const id of ['c1', 'c2']) assert.match(await read(id), /"type":"replyEnded"/);
  });

  it("report that they are only in this window while the disk fails, even to a page that is opened then, and when they're saved", async () => {
    const window = windowNamed('w1');
    const told: string[] = [];
    const end = window.onDidChangeUnsaved((id) => {
      const problem = window.unsaved(id);
      told.push(problem === undefined ? `${id}: saved` : `${id}: ${problem.title}. ${problem.detail}`);
    });
    await withFaults({ open: about('.jsonl', 'EROFS') }, async () => {
      const page = await window.open('c1');
      assert.equal(window.unsaved('c1'), undefined);
      await page.session.ask('Question', 'm', {});
      await window.settled('c1');
      assert.equal(told.length, 1, 'once, not at each try');
      assert.match(told[0] ?? '', /^c1: This conversation isn't saved\. .*EROFS/);
      await window.open('c1');
      assert.match(window.unsaved('c1')?.title ?? '', /isn't saved/);
    });
    await window.settled('c1');
    assert.equal(window.unsaved('c1'), undefined);
    assert.deepEqual(told.slice(1), ['c1: saved']);
    assert.equal((await windowNamed('w2').open('c1')).session.conversation.messages().length, 2);
    end();
  });

  it("are unchanged if they're closed and opened again at once", async () => {
    const window = windowNamed('w1');
    for (let round = 1; round <= 20; round += 1) {
      const open = await window.open('c1');
      assert.equal(open.session.conversation.messages().length, (round - 1) * 2);
      await open.session.ask(`Question ${round}`, 'm', {});
      open.dispose();
    }
  });

  it("keep what couldn't be written, even if nobody shows them anymore", async () => {
    const window = windowNamed('w1');
    const first = await window.open('c1');
    await withFaults({ open: about('.jsonl', 'EROFS') }, async () => {
      await first.session.ask('Hello', 'm', {});
      first.dispose();
      await window.settled('c1');
    });
    const again = await window.open('c1');
    assert.equal(again.session.conversation.messages().length, 2);
    await window.settled('c1');
    const elsewhere = await windowNamed('w2').open('c1');
    assert.equal(elsewhere.session.conversation.messages().length, 2);
  });

  it("are closed once they're saved late, if nobody shows them anymore", async () => {
    const window = windowNamed('w1');
    const first = await window.open('c1');
    await withFaults({ open: about('.jsonl', 'EROFS') }, async () => {
      await first.session.ask('Hello', 'm', {});
      first.dispose();
      await window.settled('c1');
    });
    // Saves it, and then waits for the effects.
    await window.settled('c1');
    assert.equal(window.unsaved('c1'), undefined);
    await window.settled('c1');
    await new Promise((resolve) => setImmediate(resolve));
    const again = await window.open('c1');
    assert.notEqual(again.session, first.session);
    assert.equal(again.session.conversation.messages().length, 2);
  });

  it('follow what another window writes', async () => {
    const mine = await windowNamed('w1').open('c1');
    const theirs = await windowNamed('w2').open('c1');
    const seen = new Promise<void>((resolve) => {
      mine.session.onEvent((event) => event.type === 'replyChanged' && resolve());
    });
    await theirs.session.ask('Hello', 'm', {});
    await seen;
    assert.deepEqual(
      mine.session.conversation.messages().map(({ text }) => text),
      ['Hello', 'Fine'],
    );
    assert.deepEqual(errors, []);
  });

  it('can be opened once a file can be read again', async () => {
    const window = windowNamed('w1');
    await mkdir(join(folder, 'conversations', 'c1.jsonl'), { recursive: true });
    await assert.rejects(window.open('c1'), { code: 'EISDIR' });
    await rm(join(folder, 'conversations', 'c1.jsonl'), { recursive: true });
    assert.deepEqual((await window.open('c1')).session.conversation.messages(), []);
  });
});
