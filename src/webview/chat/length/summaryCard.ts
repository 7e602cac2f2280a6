import * as l10n from '@vscode/l10n';
import type { SummaryView, ToHost } from '../../../shared/protocol/chatProtocol.ts';
import { maxContextLength } from '../../../shared/messageLimits.ts';
import { element, setText, textButton } from '../../kit/element.ts';
import { isImeKey } from '../../kit/keys.ts';

/** How long typing must pause before the host is notified. */
const REST_MS = 250;

/** What the card needs from the page around it. */
export interface SummaryActs {
  readonly post: (message: ToHost) => void;
  readonly say: (text: string) => void;
  /** Moves the focus to the message box. */
  readonly leave: () => void;
}

/** The summary for a new chat, which the user can read and edit before it's used. */
export class SummaryCard {
  readonly element: HTMLElement;
  readonly #acts: SummaryActs;
  readonly #words = element('div', { class: 'summary-words' });
  readonly #box = element('textarea', {
    class: 'summary-box',
    'aria-label': l10n.t('Summary'),
    rows: '8',
    maxlength: String(maxContextLength),
  });
  readonly #start: HTMLButtonElement;
  readonly #again: HTMLButtonElement;
  #state: SummaryView['state'] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The user has typed something else since the summary was begun. */
  #isBusy = false;

  constructor(acts: SummaryActs) {
    this.#acts = acts;
    this.#start = textButton('button', l10n.t('Start New Chat'), () => {
      // A second press would start another chat. If this one can't be started, the card is shown again.
      this.#start.disabled = true;
      acts.post({ type: 'useSummary', text: this.#box.value });
    });
    this.#again = textButton('button', l10n.t('Retry'), () => acts.post({ type: 'summarize' }));
    const cancel = textButton('button secondary', l10n.t('Cancel'), () => this.#cancel());
    this.element = element(
      'div',
      { class: 'foot-bar summary-card', role: 'group', 'aria-label': l10n.t('Summary for a new chat'), hidden: true },
      this.#words,
      this.#box,
      element('div', { class: 'edit-buttons' }, this.#start, this.#again, cancel),
    );
    this.#box.addEventListener('input', () => {
      this.#offerStart();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#tell(), REST_MS);
    });
    this.#box.addEventListener('blur', () => this.#tell());
    document.addEventListener('input', ({ target }) => (this.#isBusy ||= target !== this.#box));
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || isImeKey(event)) return;
      // Not the Escape of a reply, which stops it.
      event.preventDefault();
      event.stopPropagation();
      this.#cancel();
    });
  }

  show(summary: SummaryView | undefined): void {
    const before = this.#state;
    this.#state = summary?.state;
    if (this.#state !== before && this.#state === 'writing') this.#isBusy = false;
    this.element.hidden = summary === undefined;
    if (summary === undefined) return;
    const { state, text, ending, lacksLast = false, problem } = summary;
    const ready = l10n.t("Edit the summary as you like. It's sent with the first message of the new chat.");
    const tooLong = l10n.t("Your last message was too long for the model, and isn't in the summary.");
    const words = {
      writing: l10n.t('Writing a summary of this conversation…'),
      ready: [ending, lacksLast ? tooLong : undefined, ready].filter(Boolean).join(' '),
      failed: [problem?.title, problem?.detail].filter(Boolean).join('. '),
    }[state];
    setText(this.#words, words);
    if (state !== before) this.#acts.say(words);
    // Once it's complete, the user's edits stay.
    if (state !== 'ready' || before !== 'ready') this.#box.value = text;
    this.#box.readOnly = state === 'writing';
    this.#box.hidden = state === 'failed' && text === '';
    this.#start.hidden = state !== 'ready';
    this.#again.hidden = state !== 'failed' && ending === undefined;
    this.#again.classList.toggle('secondary', !this.#start.hidden);
    this.#offerStart();
    if (state === 'writing') this.#box.scrollTop = this.#box.scrollHeight;
    // The user might be typing by now: here, in an editor, or in the box for a key.
    const isFree = !this.#isBusy && document.hasFocus();
    if (state === 'ready' && before === 'writing' && isFree) this.#box.focus();
  }

  #offerStart(): void {
    this.#start.disabled = this.#box.value.trim() === '';
  }

  /** A page that is hidden is gone, with everything typed into it. */
  #tell(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#state === 'ready') this.#acts.post({ type: 'summaryEdited', text: this.#box.value });
  }

  #cancel(): void {
    this.#acts.post({ type: 'stopSummary' });
    this.#acts.leave();
  }
}
