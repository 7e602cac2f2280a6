import * as vscode from 'vscode';
import { effectiveOptions } from '../../core/chatRequest.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { Setting } from '../setting.ts';
import type { ChatPage } from './chatPage.ts';

export interface ModelInFrontDeps {
  /** The chat that commands are about. */
  readonly page: () => ChatPage | undefined;
  readonly chatDefaults: () => ChatOptions;
  readonly onDidChangeChatDefaults: vscode.Event<unknown>;
}

/** The model of the chat that a person is in, else of new conversations; empty where none is chosen. */
export class ModelInFront implements Pick<Setting<string>, 'value' | 'onDidChange'>, vscode.Disposable {
  readonly #deps: ModelInFrontDeps;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;
  #told: string;

  readonly onDidChange = this.#changed.event;

  constructor(deps: ModelInFrontDeps) {
    this.#deps = deps;
    this.#told = this.value;
    this.#subscription = deps.onDidChangeChatDefaults(() => this.update());
  }

  get value(): string {
    const options = this.#deps.page()?.session?.conversation.options ?? {};
    return effectiveOptions(options, this.#deps.chatDefaults()).model ?? '';
  }

  /** Another chat is in front, or something has changed in one. */
  update(): void {
    const { value } = this;
    if (value === this.#told) return;
    this.#told = value;
    this.#changed.fire(value);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
