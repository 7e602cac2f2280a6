import type { ToHost } from '../../../shared/protocol/chatProtocol.ts';
import { maxTextLength } from '../../../shared/messageLimits.ts';
import type { Problem } from '../../../shared/problem.ts';
import { additionProblems } from '../../../words/additionProblems.ts';
import { CodePosts } from '../../markdown/codePosts.ts';
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
  readonly code: CodePosts;
  readonly #around: SendingSurroundings;
  /** Why a message wasn't sent although it would fit if something were removed from it. */
  #misfit: Problem | undefined;

  constructor(around: SendingSurroundings) {
    this.#around = around;
    this.code = new CodePosts(around.post, this.fits);
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

  readonly copyMessage = (messageId: string, onCopied: () => void): void => {
    this.code.copying(onCopied);
    this.#around.post({ type: 'copyMessage', messageId });
  };

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
}
