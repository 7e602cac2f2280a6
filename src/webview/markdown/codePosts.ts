import type { ToHost } from '../../shared/protocol/chatProtocol.ts';
import type { CodeActions } from './markdownView.ts';

type CodeMessage = Extract<ToHost, { type: 'copyText' | 'insertCode' | 'compareCode' | 'openCode' | 'openLink' }>;

/** What a page sends to its host for code and links, and whatever else it copies. */
export class CodePosts {
  readonly actions: CodeActions;
  readonly #post: (message: CodeMessage) => void;
  readonly #fits: (text: string) => boolean;
  /** For the last copy: the host asks about invisible characters, and the user might decide against it. */
  #onCopied: (() => void) | undefined;

  /** @param fits false for a text that is too long for the host */
  constructor(post: (message: CodeMessage) => void, fits: (text: string) => boolean) {
    this.#post = post;
    this.#fits = fits;
    this.actions = {
      copy: this.copy,
      insert: (text) => this.#postText({ type: 'insertCode', text }),
      compare: (text) => this.#postText({ type: 'compareCode', text }),
      open: (text, language) => this.#postText({ type: 'openCode', text, language }),
      openLink: (href) => post({ type: 'openLink', href }),
    };
  }

  readonly copy = (text: string, onCopied?: () => void): void => {
    this.copying(onCopied);
    this.#postText({ type: 'copyText', text });
  };

  /** The page has the host copy something else. */
  copying(onCopied: (() => void) | undefined): void {
    this.#onCopied = onCopied;
  }

  /** The host has put the last copy on the clipboard. */
  copied(): void {
    this.#onCopied?.();
    this.#onCopied = undefined;
  }

  #postText(message: Exclude<CodeMessage, { type: 'openLink' }>): void {
    if (this.#fits(message.text)) this.#post(message);
  }
}
