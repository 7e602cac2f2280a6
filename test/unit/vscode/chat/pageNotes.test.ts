import assert from 'node:assert/strict';
import type { NoteView } from '../../../../src/shared/protocol/chatProtocol.ts';
import { PageNotes } from '../../../../src/vscode/chat/pageNotes.ts';

describe('Messages above the message box', () => {
  let shown: (readonly NoteView[])[];
  let channel: { isOpen: boolean; post: (fact: { readonly type: string }) => void };
  let notes: PageNotes;

  beforeEach(() => {
    shown = [];
    channel = {
      isOpen: true,
      post: (fact) => {
        if ('notes' in fact && Array.isArray(fact.notes)) shown.push(fact.notes);
      },
    };
    notes = new PageNotes();
    notes.useChannel(channel);
  });

  const texts = () => shown.at(-1)?.map(({ text }) => text);
  const idOf = (text: string) => notes.view.find((note) => note.text === text)?.id ?? '';

  it('return the button that was pressed, once', async () => {
    const pressed = notes.tell('info', 'Stored', ['Test', 'Undo']);
    notes.ended(idOf('Stored'), 'Test');
    assert.equal(await pressed, 'Test');
    assert.deepEqual(texts(), []);
  });

  it("accept no button that they don't have", () => {
    void notes.tell('info', 'Stored', ['Test']);
    notes.ended(idOf('Stored'), 'Delete Everything');
    assert.deepEqual(
      notes.view.map(({ text }) => text),
      ['Stored'],
    );
  });

  it("return nothing when they're dismissed, and when the page is gone for good", async () => {
    const dismissed = notes.tell('error', 'Refused', ['Retry']);
    notes.ended(idOf('Refused'), undefined);
    assert.equal(await dismissed, undefined);
    const left = notes.tell('error', 'Refused again', ['Retry']);
    notes.dispose();
    assert.equal(await left, undefined);
  });

  it('stay until something else is asked; after that, only warnings and errors do', async () => {
    const info = notes.tell('info', 'Stored', []);
    void notes.tell('warning', 'Nearly empty', []);
    void notes.tell('error', 'Refused', []);
    notes.asked();
    assert.equal(await info, undefined);
    assert.deepEqual(texts(), ['Nearly empty', 'Refused']);
  });

  it('appear once if they say the same, and at most three of them are confirmations', () => {
    void notes.tell('error', 'Refused', []);
    void notes.tell('error', 'Refused', []);
    for (const text of ['one', 'two', 'three', 'four']) void notes.tell('info', text, []);
    assert.deepEqual(texts(), ['Refused', 'two', 'three', 'four']);
  });

  it('show a running task and its progress, and cancel it', () => {
    let canceled = 0;
    const task = notes.begin('Testing', { label: 'Cancel', run: () => (canceled += 1) });
    task.say('Testing: waiting');
    assert.deepEqual(texts(), ['Testing: waiting']);
    assert.equal(shown.at(-1)?.[0]?.severity, 'busy');
    task.end();
    assert.deepEqual(texts(), []);
    assert.equal(canceled, 0);
    const other = notes.begin('Testing', { label: 'Cancel', run: () => (canceled += 1) });
    notes.ended(idOf('Testing'), 'Cancel');
    other.end();
    assert.equal(canceled, 1);
  });

  it('continue in the next page: a task that can be canceled, and what was not read', async () => {
    let canceled = 0;
    const task = notes.begin('Testing', { label: 'Cancel', run: () => (canceled += 1) });
    const told = notes.tell('error', 'Refused', ['Retry']);
    channel.isOpen = false;
    const next: (readonly NoteView[])[] = [];
    notes.useChannel({ isOpen: true, post: (fact) => next.push(fact.notes) });
    task.say('Testing: waiting');
    assert.deepEqual(
      next.at(-1)?.map(({ text }) => text),
      ['Testing: waiting', 'Refused'],
    );
    notes.ended(idOf('Testing: waiting'), 'Cancel');
    notes.ended(idOf('Refused'), 'Retry');
    assert.deepEqual([canceled, await told], [1, 'Retry']);
    assert.deepEqual(shown.length, 2);
  });

  it('wait for a page that is hidden', () => {
    channel.isOpen = false;
    void notes.tell('info', 'Stored', []);
    assert.deepEqual(shown, []);
    assert.deepEqual(
      notes.view.map(({ text }) => text),
      ['Stored'],
    );
  });
});
