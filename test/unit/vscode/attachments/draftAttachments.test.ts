import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attachment } from '../../../../src/shared/attachment.ts';
import { maxAttachments } from '../../../../src/shared/messageLimits.ts';
import { DraftAttachments } from '../../../../src/vscode/attachments/draftAttachments.ts';
import { attachmentsIn } from './attachmentsIn.ts';

const conversation = '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11';

function file(name: string): Attachment {
  return { kind: 'file', id: crypto.randomUUID(), name, detail: `src/${name}`, tokens: 1, at: 1 };
}

describe('What was added to a draft', () => {
  let folder: string;
  let errors: unknown[];
  const windows: DraftAttachments[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-drafts-'));
    errors = [];
  });
  afterEach(async () => {
    await Promise.all(windows.splice(0).map((window) => window.settled()));
    await rm(folder, { recursive: true, force: true });
  });

  function windowNamed(writer: string): DraftAttachments {
    const store = attachmentsIn(folder, writer);
    const window = new DraftAttachments({ store, onError: (error) => errors.push(error) });
    windows.push(window);
    return window;
  }
  const names = (drafts: DraftAttachments) => drafts.of(conversation).map(({ name }) => name);

  it('is there after a restart, in order', async () => {
    const first = windowNamed('w1');
    for (const name of ['a.ts', 'b.ts']) assert.equal(await first.add(conversation, file(name), name), undefined);
    await first.settled();
    const second = windowNamed('w2');
    await second.load(conversation);
    assert.deepEqual(names(second), ['a.ts', 'b.ts']);
  });

  it('tells of each change', async () => {
    const drafts = windowNamed('w1');
    let changes = 0;
    drafts.onDidChange((id) => {
      assert.equal(id, conversation);
      changes += 1;
    });
    const item = file('a.ts');
    await drafts.add(conversation, item, 'x');
    drafts.remove(conversation, item.id);
    drafts.remove(conversation, item.id);
    assert.equal(changes, 2);
  });

  it('holds a file once: the newer content takes the older one’s place', async () => {
    const drafts = windowNamed('w1');
    const [older, newer] = [file('a.ts'), file('a.ts')];
    for (const item of [older, file('b.ts'), newer]) await drafts.add(conversation, item, item.id);
    assert.deepEqual(names(drafts), ['a.ts', 'b.ts']);
    assert.equal(drafts.of(conversation)[0]?.id, newer.id);
  });

  it('keeps the content of what was removed: another window may be sending it', async () => {
    const drafts = windowNamed('w1');
    const item = file('a.ts');
    await drafts.add(conversation, item, 'x');
    drafts.remove(conversation, item.id);
    await drafts.settled();
    assert.deepEqual(await readdir(join(folder, 'attachments', conversation)), [`${item.id}.md`]);
  });

  it('is sent without what was added meanwhile', async () => {
    const drafts = windowNamed('w1');
    const [sent, later] = [file('a.ts'), file('b.ts')];
    for (const item of [sent, later]) await drafts.add(conversation, item, 'x');
    drafts.sent(conversation, [sent]);
    assert.deepEqual(names(drafts), ['b.ts']);
  });

  it('takes no more than a message may hold', async () => {
    const drafts = windowNamed('w1');
    for (let count = 0; count < maxAttachments; count += 1) await drafts.add(conversation, file(`${count}.ts`), 'x');
    const problem = await drafts.add(conversation, file('more.ts'), 'x');
    assert.match(problem?.title ?? '', /too much/);
    assert.equal(drafts.of(conversation).length, maxAttachments);
  });

  it('says so when a content cannot be kept, and adds nothing', async () => {
    const drafts = windowNamed('w1');
    await writeFile(join(folder, 'attachments'), 'in the way');
    const problem = await drafts.add(conversation, file('a.ts'), 'x');
    assert.match(problem?.title ?? '', /a\.ts.*could not be kept/);
    assert.deepEqual(names(drafts), []);
    assert.equal(errors.length, 1);
  });
});
