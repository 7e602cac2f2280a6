import type { Locator, Page } from 'playwright-core';
import { clickUntil, clickUntilReceived } from './clickUntil.ts';
import { QuickInput } from './quickInput.ts';
import { expandRow, treeRow, type Row } from './row.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/**
 * Waits until the list of models has the focus, and a row. VS Code moves it there once the list has arrived: keys pressed
 * before go elsewhere, what is typed elsewhere by then ends there, and a list that's open by then closes.
 */
export async function modelsFocused({ page }: WorkbenchPage): Promise<void> {
  await waitUntil('the focus in the list of models', () =>
    page.evaluate(() => {
      const list = document.activeElement?.closest('.part.sidebar .monaco-list');
      const title = list?.closest('.pane')?.querySelector('.pane-header')?.getAttribute('aria-label');
      return title?.startsWith('Models') === true && list?.querySelector('.monaco-list-row') !== null;
    }),
  );
}

/** The Models view in the side bar, as a user uses it. */
export class ModelsDriver {
  readonly pane: Locator;
  readonly #workbench: WorkbenchPage;

  constructor(workbench: WorkbenchPage) {
    this.#workbench = workbench;
    const { page } = workbench;
    this.pane = page.locator('.part.sidebar .pane', { has: page.locator('.pane-header[aria-label^="Models"]') });
  }

  static async open(workbench: WorkbenchPage): Promise<ModelsDriver> {
    await workbench.runCommand('Parlance: Show Models');
    const driver = new ModelsDriver(workbench);
    await driver.makeRoom();
    await driver.pane.waitFor({ timeout: 60_000 });
    return driver;
  }

  /** Closes the views below and enlarges the window: VS Code draws only the rows that fit. */
  async makeRoom(): Promise<void> {
    await this.#workbench.resizeTo(1280, 1400);
    for (const other of ['Requests', 'Media']) {
      const header = this.#page.locator(`.part.sidebar .pane-header[aria-label^="${other}"]`);
      await header.waitFor({ timeout: 60_000 });
      if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
    }
  }

  get #page(): Page {
    return this.#workbench.page;
  }

  /** Rows by their screen reader text: a model's ID, its kind, its state. */
  row(words: string | RegExp): Row {
    return treeRow(this.pane, words);
  }

  /** The message above the view's rows. */
  get message(): Locator {
    return this.pane.locator('.message');
  }

  /** The text of an empty view. */
  get welcome(): Locator {
    return this.pane.locator('.welcome-view');
  }

  /** Presses a button in the view's title, which is visible while it's pointed at. */
  async pressTitleButton(name: string): Promise<void> {
    await this.pane.hover();
    await this.#page.locator('.part.sidebar').getByRole('button', { name }).first().click();
  }

  async openGroup(name: string): Promise<void> {
    const group = this.row(new RegExp(`^${name}, `));
    await group.waitFor({ timeout: 60_000 });
    await expandRow(group, true);
  }

  /** Presses one of the icons that a row shows when it's pointed at. */
  async pressIcon(words: string | RegExp, icon: string): Promise<void> {
    const row = this.row(words).first();
    await clickUntilReceived(`the icon "${icon}"`, async (tryClick, limitMs) => {
      await row.hover({ timeout: limitMs });
      return tryClick(row.getByRole('button', { name: icon }));
    });
  }

  /** Selects exactly these models, by their IDs. */
  async select(first: string, ...others: readonly string[]): Promise<void> {
    const row = (id: string): Locator => this.row(new RegExp(`^${RegExp.escape(id)},`)).first();
    const selected = this.pane.locator('[role=treeitem][aria-selected=true]');
    const ids = [first, ...others];
    /** Those of the models that are selected; undefined if other rows are, too, even if they're about these models. */
    const selectedIds = async (): Promise<readonly string[] | undefined> => {
      const isSelected = await Promise.all(ids.map((id) => row(id).and(selected).count()));
      const found = ids.filter((_, at) => isSelected[at] === 1);
      return found.length === (await selected.count()) ? found : undefined;
    };
    await clickUntil(
      `${ids.join()} selected`,
      async (tryClick) => {
        const before = (await selectedIds()) ?? [];
        // Without a modifier, it ends any other selection. It also opens the model's page, which can keep VS Code busy for
        // longer than a click waits: so it isn't made again for another click that got lost.
        let isReceived = before.length > 0 || (await tryClick(row(first)));
        for (const id of ids.filter((each) => each !== first || before.length > 0)) {
          if (!before.includes(id)) isReceived &&= await tryClick(row(id), { modifiers: ['ControlOrMeta'] });
        }
        return isReceived;
      },
      async () => (await selectedIds())?.length === ids.length,
      1_000,
    );
  }

  /** The screen reader text of the visible rows, from the top. */
  async rowNames(): Promise<readonly string[]> {
    return this.pane
      .getByRole('treeitem')
      .evaluateAll((rows) =>
        rows
          .toSorted((one, other) => Number(one.getAttribute('data-index')) - Number(other.getAttribute('data-index')))
          .map((row) => row.getAttribute('aria-label') ?? ''),
      );
  }

  /** The visible text of these rows, without the ends that VS Code cuts off. */
  visibleTexts(found: Locator): Promise<readonly string[]> {
    return found.evaluateAll((rows) =>
      rows.map((row) => {
        const label = row.querySelector('.monaco-icon-label') ?? row;
        const ellipsis = label.scrollWidth > label.clientWidth ? 16 : 0;
        const right = label.getBoundingClientRect().right - ellipsis;
        const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
        let seen = '';
        for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
          seen += ' ';
          for (let at = 0; at < (node.textContent ?? '').length; at += 1) {
            const character = document.createRange();
            character.setStart(node, at);
            character.setEnd(node, at + 1);
            if (character.getBoundingClientRect().right > right) return seen.trim();
            seen += node.textContent?.[at] ?? '';
          }
        }
        return seen.trim();
      }),
    );
  }

  /** Types into the filter box, which stays open. */
  async filter(text: string): Promise<QuickInput> {
    const input = new QuickInput(this.#page);
    // VS Code would close the new box with an earlier one that is still closing.
    await input.closed();
    await this.#workbench.runCommand('Parlance: Filter Models');
    await input.opened('Filter Models');
    await input.box.fill(text);
    // The list changes with every letter.
    if (text !== '')
      await this.pane
        .getByText(new RegExp(`"${RegExp.escape(text)}"`))
        .first()
        .waitFor({ timeout: 60_000 });
    return input;
  }
}
