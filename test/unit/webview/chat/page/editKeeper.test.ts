import assert from 'node:assert/strict';
import { EditKeeper } from '../../../../../src/webview/chat/page/editKeeper.ts';
import { type KeptState, PageMemory } from '../../../../../src/webview/chat/page/pageMemory.ts';

describe('EditKeeper', () => {
  let kept: KeptState | undefined;
  const host = { recall: () => kept, remember: (state: KeptState) => (kept = state) };
  beforeEach(() => (kept = undefined));
  const page = (): { readonly edits: EditKeeper; readonly memory: PageMemory } => {
    const memory = new PageMemory(host);
    return { edits: new EditKeeper(memory), memory };
  };

  it('keeps an edit for a later page, whatever conversation was shown in between', () => {
    const { edits, memory } = page();
    memory.change({ conversationId: 'c1' });
    edits.changed('u1', 'Better');
    memory.change({ conversationId: 'c2', draft: '' });
    assert.equal(page().edits.textOf('u1'), 'Better');
  });

  it('drops a canceled edit', () => {
    const { edits } = page();
    edits.changed('u1', 'Better');
    edits.ended('u1');
    assert.equal(edits.textOf('u1'), undefined);
  });

  it('keeps what was sent until the host has removed the message', () => {
    const { edits } = page();
    edits.sent('u1', 'Better');
    assert.equal(edits.textOf('u1'), undefined);
    assert.equal(page().edits.textOf('u1'), 'Better');
    edits.removed(['u1', 'r1']);
    assert.equal(page().edits.textOf('u1'), undefined);
  });

  it('keeps the edit of a message that is deleted and might be restored', () => {
    const { edits } = page();
    edits.changed('u1', 'Better');
    edits.removed(['u1']);
    assert.equal(edits.textOf('u1'), 'Better');
  });

  it("keeps a text that couldn't be sent, and no other that was sent", () => {
    const { edits } = page();
    edits.sent('u0', 'Better');
    edits.sent('u1', 'Better');
    edits.refused('u1');
    assert.equal(edits.textOf('u0'), undefined);
    assert.equal(edits.textOf('u1'), 'Better');
    edits.removed(['u1']);
    assert.equal(page().edits.textOf('u1'), 'Better');
  });

  it("doesn't grow forever", () => {
    const { edits, memory } = page();
    for (let index = 0; index < 100; index += 1) edits.changed(`u${index}`, 'x');
    assert.equal(memory.state.edits.length, 30);
    assert.equal(edits.textOf('u99'), 'x');
  });
});
