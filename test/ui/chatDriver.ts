import type { Frame, Locator } from 'playwright-core';
import { drawn } from './drawn.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** A chat in the workbench, as a user uses it. Its frame is gone once the chat is hidden or reloaded. */
export class ChatDriver {
  readonly frame: Frame;
  readonly #workbench: WorkbenchPage;

  constructor(workbench: WorkbenchPage, frame: Frame) {
    this.#workbench = workbench;
    this.frame = frame;
  }

  /** The only chat in view. */
  static async inView(workbench: WorkbenchPage): Promise<ChatDriver> {
    return ChatDriver.#shown(workbench, await workbench.chatFrame());
  }

  /** Opens the chat in its side bar. */
  static async open(workbench: WorkbenchPage): Promise<ChatDriver> {
    return ChatDriver.#shown(workbench, await workbench.openChat());
  }

  static async #shown(workbench: WorkbenchPage, frame: Frame): Promise<ChatDriver> {
    // Hidden until the page knows what to show.
    await frame.getByRole('log').waitFor();
    return new ChatDriver(workbench, frame);
  }

  get box(): Locator {
    return this.frame.getByRole('textbox', { name: 'Message', exact: true });
  }

  get area(): Locator {
    return this.#workbench.page.locator('.part.auxiliarybar');
  }

  get questions(): Locator {
    return this.frame.locator('article.user');
  }

  get replies(): Locator {
    return this.frame.locator('article.reply');
  }

  get lastReply(): Locator {
    return this.replies.last();
  }

  /** Why the latest reply failed. */
  get card(): Locator {
    return this.lastReply.locator('.problem');
  }

  /** Why the text in the message box wasn't sent. */
  get refusal(): Locator {
    return this.frame.locator('.refusal .problem');
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  /** Whether the next key goes to the message box. A chat that opens, or starts anew, takes the focus some time later. */
  hasFocus(): Promise<boolean> {
    return this.box.evaluate((box) => document.hasFocus() && document.activeElement === box);
  }

  async focused(): Promise<void> {
    await waitUntil('the focus in the message box', () => this.hasFocus());
  }

  async send(text: string): Promise<void> {
    await this.box.fill(text);
    await this.box.press('Enter');
  }

  /** Sends faster than a user could: nothing happens between the text and its Enter. */
  async sendAtOnce(text: string): Promise<void> {
    await this.box.evaluate((box: HTMLTextAreaElement, typed) => {
      box.value = typed;
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    }, text);
  }

  /** Sends and waits for the end of the reply. @returns the reply. */
  async ask(text: string): Promise<Locator> {
    const before = await this.replies.count();
    await this.send(text);
    return this.ended(before);
  }

  /** The reply at this position, once it has ended in any way and is drawn. */
  async ended(place: number): Promise<Locator> {
    const reply = this.replies.nth(place);
    await reply
      .and(this.frame.locator('[data-state=done], [data-state=incomplete], [data-state=stopped], [data-state=failed]'))
      .waitFor({ timeout: 60_000 });
    await drawn(reply);
    return reply;
  }

  /** Clears the view for a new conversation, which uses the default model. */
  async startAnew(): Promise<void> {
    // Waits for the end: a view that was already empty looks the same, and text typed too early would go into the old
    // one.
    await this.#workbench.driver.runToEnd('parlance.newChat');
    await this.replies.first().waitFor({ state: 'detached' });
    await this.frame.locator('.empty-body').waitFor();
  }

  /** Types a model's ID into the model picker and selects it, whether the service lists it or not. */
  async chooseModel(id: string): Promise<void> {
    await this.button(/^(Model: |Select model)/).click();
    await this.pickModel(id);
    await this.button(`Model: ${id}`).waitFor({ timeout: 60_000 });
  }

  /** Selects a model in the open picker. */
  async pickModel(id: string): Promise<void> {
    await this.modelSearch.fill(id);
    await this.modelRow(id).click();
  }

  get modelSearch(): Locator {
    return this.frame.getByRole('combobox', { name: 'Search models' });
  }

  /** The row of a model, or the one that offers an unlisted ID. */
  modelRow(id: string): Locator {
    return this.frame.locator('.model-row').filter({
      has: this.frame.locator('.model-name-text').filter({ hasText: new RegExp(`^(Use ")?${RegExp.escape(id)}"?$`) }),
    });
  }
}
