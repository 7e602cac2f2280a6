import type { ToHost } from '../../../shared/protocol/chatProtocol.ts';
import type { Composer } from '../composer/composer.ts';
import { element } from '../../kit/element.ts';
import type { Ticker } from '../../kit/ticker.ts';
import { LateLength } from '../length/lateLength.ts';
import { NoteList } from '../composer/noteList.ts';
import type { PageState } from './pageState.ts';
import { ProblemSlot } from '../../kit/problemCard.ts';
import { SilenceBar } from '../../kit/silenceBar.ts';

/** What the foot needs from the page around it. */
export interface FootSurroundings {
  readonly composer: Composer;
  /** The place of the model picker. */
  readonly picker: HTMLElement;
  readonly ticker: Ticker;
  /** From which it dismisses what it shows. */
  readonly state: PageState;
  readonly post: (message: ToHost) => void;
  readonly copy: (text: string) => void;
  readonly say: (text: string) => void;
  /** Called when the user has the host restore what was deleted. */
  readonly restoring: () => void;
  /** Called when there are new buttons. */
  readonly appeared: () => void;
}

/** The composer, and above it the messages about the user's last action. */
export class ChatFoot {
  readonly element: HTMLElement;
  /** The service of the next message is known not to support chat. Dismissed, it's hidden until that or the service changes. */
  readonly lack: ProblemSlot;
  readonly unsaved: ProblemSlot;
  readonly refusal: ProblemSlot;
  readonly long: LateLength;
  readonly silence = new SilenceBar();
  readonly notes: NoteList;

  constructor({ composer, picker, ticker, state, post, copy, say, restoring, appeared }: FootSurroundings) {
    const slot = (name: string, forget: () => void) =>
      new ProblemSlot(
        { class: name },
        {
          run: (action, model) => post({ type: 'runAction', action, ...(model !== undefined && { model }) }),
          copy,
          dismiss: () => {
            forget();
            composer.focus();
          },
        },
        ticker,
      );
    this.lack = slot('lack', () => this.lack.show(undefined));
    this.unsaved = slot('unsaved', () => state.forgetUnsaved());
    this.refusal = slot('refusal', () => state.refuse(undefined));
    this.notes = new NoteList((noteId, button) => {
      const isUndo = state.now.notes.some(({ id, severity }) => id === noteId && severity === 'undo');
      if (isUndo && button !== undefined) restoring();
      post({ type: 'endNote', id: noteId, ...(button !== undefined && { button }) });
    });
    this.long = new LateLength({ post, say, leave: () => composer.focus() }, appeared);
    this.element = element(
      'div',
      { class: 'foot' },
      this.lack.element,
      this.unsaved.element,
      this.refusal.element,
      this.silence.element,
      this.notes.element,
      this.long.element,
      picker,
      composer.element,
    );
  }
}
