import * as l10n from '@vscode/l10n';
import type { MessageView } from '../../../shared/chat.ts';
import { element } from '../../kit/element.ts';
import { JumpButton } from '../../kit/jumpButton.ts';
import { ScrollFollower } from '../../kit/scrollFollower.ts';
import type { Transcript } from './transcript.ts';

/** Where the reader is in the conversation, and the way back to its end. */
export class ReaderPlace {
  readonly scroller = element('div', {
    class: 'transcript',
    role: 'log',
    'aria-live': 'off',
    'aria-label': l10n.t('Conversation'),
    tabindex: '0',
    hidden: true,
  });
  readonly element: HTMLElement;
  readonly follower: ScrollFollower;
  readonly #transcript: () => Transcript | undefined;
  readonly #jump: JumpButton;

  /**
   * @param transcript undefined as long as there are no messages
   * @param onJumped called when the reader jumped to the end
   */
  constructor(transcript: () => Transcript | undefined, onJumped: () => void) {
    this.#transcript = transcript;
    this.follower = new ScrollFollower(this.scroller, () => this.#drawJump());
    this.#jump = new JumpButton(() => {
      this.toBottom();
      onJumped();
    });
    this.element = element('div', { class: 'transcript-frame' }, this.scroller, this.#jump.element);
  }

  toBottom(): void {
    this.#transcript()?.toLatest();
    this.follower.toBottom();
  }

  /** Call this after the content or the size has changed. */
  settle(): void {
    if (this.#isAtLatest) this.follower.settle();
    this.#drawJump();
  }

  /**
   * A deletion or its Undo changes which messages follow. The reader stays in place, or at the end if only the last
   * message is new.
   */
  rearranging(before: readonly MessageView[], after: readonly MessageView[]): void {
    const changed = after.findIndex(({ id }, index) => id !== before[index]?.id);
    const isNewEnd = after.at(-1)?.id !== before.at(-1)?.id;
    if (isNewEnd && changed !== -1 && changed < after.length - 1) this.follower.pause();
  }

  /** Shows the beginning of a loaded message. */
  goTo(messageId: string): void {
    const article = (): Element | null | undefined => this.#transcript()?.textOf(messageId)?.closest('article');
    this.#transcript()?.reveal(messageId);
    article()?.scrollIntoView({ block: 'start' });
    this.#onceDrawn(() => article()?.scrollIntoView({ block: 'start' }));
  }

  /**
   * The reader switched to another version of a message, whose button has the focus. The messages after it are being
   * drawn.
   */
  switched(): void {
    this.#onceDrawn(() => {
      const { activeElement } = document;
      if (this.scroller.contains(activeElement)) activeElement?.scrollIntoView({ block: 'nearest' });
    });
  }

  #onceDrawn(scroll: () => void): void {
    const settle = (): void => {
      if (this.#transcript()?.isDrawing === true) return void requestAnimationFrame(settle);
      scroll();
      if (!this.follower.following) this.follower.check();
    };
    requestAnimationFrame(settle);
  }

  /** Something arrived at the end. A reader who isn't there is told, without being moved. */
  hintAtNew(): void {
    this.#jump.hintAtNew();
  }

  get #isAtLatest(): boolean {
    return this.#transcript()?.atLatest !== false;
  }

  #drawJump(): void {
    const isFollowing = this.follower.following && this.#isAtLatest;
    if (isFollowing && document.activeElement === this.#jump.element) this.scroller.focus();
    // A class for each state, not :has(): that is checked again whenever anything in the transcript changes.
    this.scroller.classList.toggle('left', !isFollowing);
    this.#jump.show(isFollowing);
  }
}
