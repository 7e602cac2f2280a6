import assert from 'node:assert/strict';
import {
  plainInput,
  plainValidation,
  plainTreeItem,
  type ShownItem,
} from '../../../../src/vscode/platform/plainItems.ts';

const hostile = 'a $(trash) [Fix](command:evil)\r\nb \u202Etxt.exe';
/** No icon, no link, one line, no change of direction. */
function assertPlain(text: unknown): void {
  assert.ok(typeof text === 'string');
  assert.ok(!/\$\(|\]\(|[\r\n\u202e]/.test(text.replace(/^\$\([\w-]+\) /, '')), JSON.stringify(text));
  assert.equal(text.replaceAll('\u200B', '').replace(/^\$\([\w-]+\) /, ''), 'a $(trash) [Fix](command:evil) b txt.exe');
}

/** The parts of VS Code's list that matter here: it keeps what it's given, and reports the selection. */
class FakePick {
  title = '';
  placeholder = '';
  prompt = '';
  validationMessage: unknown;
  value = '';
  items: readonly ShownItem[] = [];
  activeItems: readonly ShownItem[] = [];
  selectedItems: readonly ShownItem[] = [];
  shows = 0;
  readonly active: ((items: readonly ShownItem[]) => void)[] = [];
  readonly pressed: ((event: { button: object; item: ShownItem }) => void)[] = [];
  readonly onDidChangeActive = (listener: (items: readonly ShownItem[]) => void) => void this.active.push(listener);
  readonly onDidTriggerItemButton = (listener: (event: { button: object; item: ShownItem }) => void) =>
    void this.pressed.push(listener);
  show(): void {
    this.shows += 1;
  }
}

describe('A VS Code input box', () => {
  it('shows text literally', () => {
    const real = new FakePick();
    const pick = plainInput(real);
    pick.title = hostile;
    pick.placeholder = hostile;
    pick.prompt = hostile;
    pick.validationMessage = { message: hostile, severity: 3 };
    pick.items = [{ icon: 'folder', label: hostile, description: hostile, detail: hostile }];
    for (const words of [real.title, real.placeholder, real.prompt]) assertPlain(words);
    const [row] = real.items;
    for (const words of [row?.label, row?.description, row?.detail]) assertPlain(words);
    assert.ok(row?.label.startsWith('$(folder) '));
    const message: unknown = real.validationMessage;
    assert.ok(typeof message === 'object' && message !== null && 'message' in message);
    assertPlain(message.message);
    assertPlain(plainValidation(hostile));
    assert.equal(plainValidation(undefined), undefined);
    // Text that a user typed stays unchanged.
    pick.value = hostile;
    assert.equal(real.value, hostile);
  });

  it('returns the original rows in every event', () => {
    const real = new FakePick();
    const pick = plainInput(real);
    const rows = [{ label: hostile }, { label: 'b' }];
    pick.items = rows;
    pick.activeItems = rows.slice(0, 1);
    assert.notEqual(real.items[0], rows[0]);
    // The active row is one of the listed ones.
    assert.equal(real.activeItems[0], real.items[0]);
    assert.deepEqual([pick.items[0] === rows[0], pick.activeItems[0] === rows[0]], [true, true]);
    const told: unknown[] = [];
    pick.onDidChangeActive((items) => told.push(...items));
    pick.onDidTriggerItemButton(({ item }) => told.push(item));
    for (const listener of real.active) listener(real.items.slice(0, 1));
    for (const listener of real.pressed) listener({ button: {}, item: real.items[1] ?? { label: '' } });
    assert.deepEqual([told[0] === rows[0], told[1] === rows[1]], [true, true]);
    pick.show();
    assert.equal(real.shows, 1);
  });
});

describe('A row of a tree', () => {
  it('shows text literally, with a tooltip of several lines', () => {
    const item = plainTreeItem({ label: hostile, description: hostile, tooltip: hostile });
    assertPlain(item.label);
    assertPlain(item.description);
    assert.ok(!/\$\(|\]\(|\u202e/.test(item.tooltip));
    assert.match(item.tooltip, /\n/);
    assertPlain(plainTreeItem({ label: { label: hostile } }).label.label);
    assert.equal(plainTreeItem({ description: true }).description, true);
  });
});
