import assert from 'node:assert/strict';
import type { ChatEvent } from '../../src/api/types.ts';
import type { AnswerOptions } from '../../src/api/callOptions.ts';
import type { ChatOperation, ChatRequest } from '../../src/api/operations/chatCompletion.ts';
import { registerCommitMessage } from '../../src/vscode/commitMessage/registerCommitMessage.ts';
import { commandIds } from '../../src/vscode/settings/contributions.ts';
import type { NotifyButton } from '../../src/vscode/platform/notify.ts';
import { eventually } from './eventually.ts';
import { GitFolder } from './gitFolder.ts';
import { setUserSettings } from './userSettings.ts';

interface Notice {
  readonly text: string;
  readonly buttons: readonly NotifyButton[];
}

describe('A user who asks for a commit message is notified', () => {
  let folder: GitFolder;
  before(async () => {
    folder = await GitFolder.open();
  });
  after(async () => folder?.remove());

  /** No button is pressed unless a test does it. @param reply what the service returns */
  function window(
    reply: readonly ChatEvent[] | Error = [{ type: 'text', text: 'Fix it' }],
    used = 'a/one',
    held?: Promise<void>,
  ) {
    const handlers = new Map<string, (target?: unknown) => unknown>();
    const notices: Notice[] = [];
    const asked: ChatRequest[] = [];
    async function* stream({ request }: ChatOperation, { signal }: AnswerOptions = {}): AsyncGenerator<ChatEvent> {
      asked.push(request);
      await held;
      signal?.throwIfAborted();
      if (reply instanceof Error) throw reply;
      yield* reply;
      yield { type: 'end', complete: !reply.some(({ type }) => type === 'finish') };
    }
    registerCommitMessage({
      commands: { handle: (id, run) => void handlers.set(id, run as (target?: unknown) => unknown) },
      service: { from: () => ({ forModel: () => ({ stream }) }) },
      settings: { chatDefaults: () => ({ model: 'a/one' }) },
      support: { modelFor: (_ability, model) => Promise.resolve(model === 'a/one' ? used : model) },
      explainer: {
        problemOfError: (error, about) => {
          if (error !== reply) throw error;
          return { severity: 'error', title: `Failed: ${about?.model ?? ''}`, detail: '', actions: [], technical: '' };
        },
      },
      notifier: {
        info: (text, buttons) => void notices.push({ text, buttons: buttons ?? [] }),
        problem: ({ title }) => void notices.push({ text: title, buttons: [] }),
      },
    });
    const { rootUri } = folder.repository;
    const run = async (id: string, target: unknown = { rootUri }) => handlers.get(id)?.(target);
    return { notices, asked, run, write: () => run(commandIds.generateCommitMessage) };
  }
  const sent = (asked: readonly ChatRequest[]) => JSON.stringify(asked.at(-1)?.messages);

  it('that new files have to be staged, and nothing is sent', async () => {
    await folder.write('new.txt', 'New\n');
    await folder.known();
    assert.equal(folder.repository.state.workingTreeChanges.length, 1);
    const { notices, asked, write } = window();
    await write();
    assert.match(notices[0]?.text ?? '', /^No changes to describe.*once they're staged/);
    assert.equal(asked.length, 0);
  });

  it('that new files have to be staged where they are listed apart from other changes', async () => {
    await folder.write('new.txt', 'New\n');
    await setUserSettings({ 'git.untrackedChanges': 'separate' });
    try {
      await eventually('they are apart', async () => {
        await folder.known();
        return folder.repository.state.workingTreeChanges.length === 0;
      });
      const { notices, write } = window();
      await write();
      assert.match(notices[0]?.text ?? '', /^No changes to describe.*once they're staged/);
    } finally {
      await setUserSettings({ 'git.untrackedChanges': undefined });
      await eventually('they are among the others', async () => {
        await folder.known();
        return folder.repository.state.workingTreeChanges.length === 1;
      });
    }
  });

  it('that nothing is staged, without the command waiting for an answer', async () => {
    folder.git('add', '.');
    folder.git('commit', '-qm', 'First');
    await folder.write('new.txt', 'Newer\n');
    await folder.write('another.txt', 'Another\n');
    await folder.known();
    const { notices, asked, write } = window();
    await write();
    await write();
    assert.deepEqual(
      notices.map(({ text }) => text.slice(0, 18)),
      ['Nothing is staged.', 'Nothing is staged.'],
    );
    assert.equal(asked.length, 0);
    await notices[0]?.buttons[0]?.run();
    assert.equal(folder.repository.inputBox.value, 'Fix it');
    assert.match(sent(asked), /\+Newer/);
    assert.equal(notices.at(-1)?.text, "New files weren't included because they aren't staged.");
    folder.git('clean', '-qf');
    await folder.known();
    // The files are gone by the time the second question is answered.
    folder.git('checkout', '-q', '.');
    await notices[1]?.buttons[0]?.run();
    assert.match(notices.at(-1)?.text ?? '', /^No changes to describe/);
    assert.equal(asked.length, 1);
  });

  it('which files might contain secrets and were left out', async () => {
    await folder.write('.env', 'API_TOKEN=hunter2\n');
    await folder.write('plain.txt', 'Plain\n');
    folder.git('add', '-A');
    await folder.known();
    folder.repository.inputBox.value = '';
    const { notices, asked, write } = window();
    await write();
    assert.match(sent(asked), /\+Plain/);
    assert.doesNotMatch(sent(asked), /hunter2/);
    assert.deepEqual(
      notices.map(({ text }) => text),
      ['Not sent because it might contain secrets: .env.'],
    );
    folder.git('rm', '-q', '--cached', '.env');
    await folder.known();
  });

  it('that the reply was cut off', async () => {
    folder.repository.inputBox.value = '';
    const { notices, write } = window([
      { type: 'text', text: 'Fix the' },
      { type: 'finish', reason: 'length' },
    ]);
    await write();
    assert.match(notices[0]?.text ?? '', /reached its token limit/);
    assert.equal(folder.repository.inputBox.value, 'Fix the');
  });

  it('that the model failed that was used, which might not be the default', async () => {
    await folder.write('more.txt', 'More\n');
    folder.git('add', 'more.txt');
    await folder.known();
    const { notices, write } = window(new Error('No'), 'other::two');
    await write();
    assert.deepEqual(
      notices.map(({ text }) => text),
      ['Failed: other::two'],
    );
  });

  it('that a message is already being generated for this repository, which is only stopped by its own button', async () => {
    await folder.write('busy.txt', 'Busy\n');
    folder.git('add', 'busy.txt');
    folder.repository.inputBox.value = '';
    const other = await GitFolder.open();
    try {
      await other.write('other.txt', 'Other\n');
      other.git('add', '.');
      const held = Promise.withResolvers<void>();
      const { notices, asked, run, write } = window([{ type: 'text', text: 'Fix it' }], 'a/one', held.promise);
      const written = write();
      await eventually('it is asked', () => asked.length === 1);
      await write();
      assert.deepEqual(
        notices.map(({ text, buttons }) => [text, ...buttons.map(({ label }) => label)]),
        [['A commit message is already being generated for this repository.', 'Stop']],
      );
      const { rootUri } = other.repository;
      const others = run(commandIds.generateCommitMessage, { rootUri });
      await eventually('that one too', () => asked.length === 2);
      await run(commandIds.stopCommitMessage, { rootUri });
      held.resolve();
      await Promise.all([written, others]);
      assert.equal(folder.repository.inputBox.value, 'Fix it');
      assert.equal(other.repository.inputBox.value, '');
    } finally {
      await other.remove();
    }
  });

  it('that it replaced the old text, which a button restores', async () => {
    folder.repository.inputBox.value = 'My words';
    const { notices, asked, write } = window(
      ['Fix', ' the', ' parser', ' of', ' dates'].map((text) => ({ type: 'text', text }) as const),
    );
    await write();
    assert.match(sent(asked), /My words/);
    await eventually(
      'all that was written came back',
      () => folder.repository.inputBox.value === 'Fix the parser of dates',
    );
    await notices[0]?.buttons[0]?.run();
    await eventually('the old text is back', () => folder.repository.inputBox.value === 'My words');
  });
});
