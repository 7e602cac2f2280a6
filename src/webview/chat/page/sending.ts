import type { ToHost } from '../../../shared/protocol/chatProtocol.ts';
import { maxTextLength } from '../../../shared/messageLimits.ts';
import type { Problem } from '../../../shared/problem.ts';
import { additionProblems } from '../../../words/additionProblems.ts';
import type { CodeActions } from '../../markdown/markdownView.ts';
import type { ReaderPlace } from '../transcript/readerPlace.ts';
import type { DraftKeeper } from './draftKeeper.ts';
import type { PageState } from './pageState.ts';

/** What sending needs from the page around it. */
export interface SendingSurroundings {
  readonly post: (message: ToHost) => void;
  readonly say: (text: string) => void;
  readonly state: PageState;
  readonly draft: DraftKeeper;
  readonly place: ReaderPlace;
}

/** What the user sends from this page: messages, and text that is copied or goes into an editor. */
export class Sending {
  /** What can be done with a block of code. */
  readonly code: CodeActions;
  readonly #around: SendingSurroundings;
  /** Why a message wasn't sent although it would fit if something were removed from it. */
  #misfit: Problem | undefined;
  /** For the last copy: the host asks about invisible characters, and the user might decide against it. */
  #onCopied: (() => void) | undefined;

  constructor(around: SendingSurroundings) {
    this.#around = around;
    this.code = {
      copy: this.copy,
      insert: (text) => this.#postText(text, { type: 'insertCode', text }),
      compare: (text) => this.#postText(text, { type: 'compareCode', text }),
      open: (text, codeLanguage) => this.#postText(text, { type: 'openCode', text, language: codeLanguage }),
      openLink: (href) => around.post({ type: 'openLink', href }),
    };
  }

  /**
   * @param misfit why this message can't be sent to its model, if it can't
   * @returns false if it wasn't sent, which is shown to the user
   */
  ask(text: string, attachments: readonly string[], misfit: Problem | undefined): boolean {
    if (!this.fits(text)) return false;
    if (misfit !== undefined) {
      this.#misfit = misfit;
      this.refuse(misfit);
      return false;
    }
    const { post, state, draft, place } = this.#around;
    state.refuse(undefined);
    const { conversationId, messages } = state.now;
    const version = draft.asked(text, messages.at(-1)?.id);
    post({
      type: 'ask',
      ...(conversationId !== '' && { conversationId }),
      text,
      ...(attachments.length > 0 && { attachments }),
      version,
    });
    place.toBottom();
    return true;
  }

  /** Hides why the last message wasn't sent, once it could be. */
  settle(misfit: Problem | undefined): void {
    if (misfit !== undefined || this.#misfit === undefined) return;
    this.settled(this.#misfit);
    this.#misfit = undefined;
  }

  /** Hides a problem that is over. */
  readonly settled = (problem: Problem): void => {
    const { state } = this.#around;
    if (state.now.refusal === problem) state.refuse(undefined);
  };

  readonly copy = (text: string, onCopied?: () => void): void => {
    this.#onCopied = onCopied;
    this.#postText(text, { type: 'copyText', text });
  };

  readonly copyMessage = (messageId: string, onCopied: () => void): void => {
    this.#onCopied = onCopied;
    this.#around.post({ type: 'copyMessage', messageId });
  };

  /** The host has put the last copy on the clipboard. */
  copied(): void {
    this.#onCopied?.();
    this.#onCopied = undefined;
  }

  /** False, after telling the user, for a text that is too long for the host. */
  readonly fits = (text: string): boolean => {
    if (text.length <= maxTextLength) return true;
    this.refuse(additionProblems.textTooLong(text.length));
    return false;
  };

  readonly refuse = (problem: Problem): void => {
    this.#around.state.refuse(problem);
    this.#around.say(problem.title);
  };

  #postText(text: string, message: ToHost): void {
    if (this.fits(text)) this.#around.post(message);
  }
}
