import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';

interface Notice {
  readonly text: string;
  readonly buttons: readonly string[];
  /** Undefined dismisses it. */
  readonly press: (button: string | undefined) => void;
}

const messages = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const;

/**
 * A user who reads notifications and answers dialogs and input boxes. VS Code doesn't show dialogs in tests and offers
 * no way to press a button.
 */
export class Answers implements Disposable {
  readonly notices: Notice[] = [];
  readonly #originals = [...messages, 'showInputBox' as const].map((name) => [name, vscode.window[name]] as const);
  /** The button of a dialog; undefined cancels it. */
  onDialog: (question: string) => Promise<string | undefined> = (question) => assert.fail(question);
  /** The text that is typed into an input box, by its prompt. */
  onInput: (prompt: string) => Promise<string | undefined> = (prompt) => assert.fail(prompt);

  constructor() {
    for (const name of messages) Reflect.set(vscode.window, name, this.#message);
    Reflect.set(vscode.window, 'showInputBox', ({ prompt = '' }: vscode.InputBoxOptions = {}) => this.onInput(prompt));
  }

  [Symbol.dispose](): void {
    for (const [name, original] of this.#originals) Reflect.set(vscode.window, name, original);
    for (const { press } of this.notices) press(undefined);
  }

  /** The notification that starts like this, once it appears. */
  async notice(beginning: string): Promise<Notice> {
    const find = () => this.notices.find(({ text }) => text.startsWith(beginning));
    await eventually(`the notification “${beginning}”`, () => find() !== undefined);
    const found = find();
    assert.ok(found);
    return found;
  }

  /** The newest notification with this button, once it appears. */
  async offer(button: string): Promise<Notice> {
    const find = () => this.notices.findLast(({ buttons }) => buttons.includes(button));
    await eventually(`a notification with ${button}`, () => find() !== undefined);
    const found = find();
    assert.ok(found);
    return found;
  }

  #message = (text: string, ...given: readonly unknown[]): Promise<string | undefined> => {
    if (given.some((item) => typeof item === 'object')) return this.onDialog(text);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.notices.push({ text, buttons: given.filter((item) => typeof item === 'string'), press: resolve });
    return promise;
  };
}
