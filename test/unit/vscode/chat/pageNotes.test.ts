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

  it('take a button that was pressed just as the same message came again', async () => {
    const first = notes.tell('error', 'Refused', ['Set Base URL']);
    const known = idOf('Refused');
    const second = notes.tell('error', 'Refused', ['Set Base URL']);
    notes.ended(known, 'Set Base URL');
    assert.deepEqual(await Promise.all([first, second]), [undefined, 'Set Base URL']);
    assert.deepEqual(texts(), []);
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

  describe('about deletions', () => {
    let undone: string[];

    beforeEach(() => {
      undone = [];
      notes.useChannel(channel, ({ ids }) => undone.push(...ids));
      notes.showing('c1');
    });

    const message = (id: string, from = 'c1') => ({ ids: [id], from });
    const conversation = (id: string) => ({ ids: [id] as const, title: id });
    const idAt = (place: number) => notes.view[place]?.id ?? '';

    it('stay, whatever else is deleted or said, and also while the page is hidden', () => {
      for (const id of ['m1', 'm2']) notes.offerUndo(message(id));
      channel.isOpen = false;
      for (const id of ['c2', 'c3', 'c4']) notes.offerUndo(conversation(id));
      for (const text of ['One', 'Two', 'Three', 'Four']) void notes.tell('info', text, []);
      channel.isOpen = true;
      assert.deepEqual(
        notes.view.filter(({ severity }) => severity === 'undo').map(({ text }) => text),
        ['2 messages deleted.', 'Deleted "c2".', 'Deleted "c3".', 'Deleted "c4".'],
      );
      notes.ended(idAt(2), 'Undo');
      notes.ended(idAt(1), undefined);
      notes.ended(idAt(0), 'Undo');
      assert.deepEqual(undone, ['c3', 'm2', 'm1']);
    });

    it('of messages share a note until something else is deleted there', () => {
      notes.offerUndo(message('m1'));
      notes.offerUndo(message('m2', 'c2'));
      notes.offerUndo(message('m3'));
      assert.deepEqual(texts(), ['2 messages deleted.']);
      notes.offerUndo(conversation('c3'));
      notes.offerUndo(message('m4'));
      assert.deepEqual(texts(), ['2 messages deleted.', 'Deleted "c3".', 'Message deleted.']);
      notes.ended(idAt(0), 'Undo');
      notes.showing('c2');
      notes.ended(idAt(0), 'Undo');
      assert.deepEqual(undone, ['m3', 'm1', 'm2']);
    });

    it('are all undone if Undo was pressed just as others joined them, and not dismissed unread', () => {
      notes.offerUndo(message('m1'));
      const known = idAt(0);
      for (const id of ['m2', 'm3']) notes.offerUndo(message(id));
      notes.ended(known, undefined);
      assert.deepEqual(texts(), ['3 messages deleted.']);
      notes.ended(known, 'Undo');
      notes.ended(known, 'Undo');
      assert.deepEqual([texts(), undone], [[], ['m3', 'm2', 'm1']]);
    });

    it('are undone by the page that shows them now, because the one before it is gone', () => {
      notes.offerUndo(message('m1'));
      notes.offerUndo(conversation('c2'));
      const there: unknown[] = [];
      notes.useChannel({ isOpen: true, post: () => undefined }, ({ ids, from }) => there.push([ids, from]));
      notes.ended(idAt(0), 'Undo');
      notes.ended(idAt(0), 'Undo');
      assert.deepEqual(
        [undone, there],
        [
          [],
          [
            [['m1'], 'c1'],
            [['c2'], undefined],
          ],
        ],
      );
    });

    it('end with the next message, apart from those of other conversations', () => {
      notes.offerUndo(message('m1'));
      notes.showing('c2');
      assert.deepEqual(notes.view, []);
      notes.offerUndo(message('m2', 'c2'));
      notes.offerUndo(conversation('c3'));
      notes.asked();
      assert.deepEqual(texts(), []);
      notes.showing('c1');
      notes.ended(idAt(0), 'Undo');
      assert.deepEqual(undone, ['m1']);
    });

    it('end when what they are about is back, for example from another page', () => {
      for (const id of ['m1', 'm2']) notes.offerUndo(message(id));
      notes.offerUndo(conversation('c2'));
      notes.restored((id) => id === 'm1');
      assert.deepEqual(texts(), ['Message deleted.', 'Deleted "c2".']);
      notes.showing('c2');
      notes.showing('c1');
      notes.ended(idAt(0), 'Undo');
      assert.deepEqual([notes.view, undone], [[], ['m2']]);
    });
  });
});
