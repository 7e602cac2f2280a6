import * as l10n from '@vscode/l10n';
import type { SummaryView, ToHost } from '../../../shared/chatProtocol.ts';
import { maxContextLength } from '../../../shared/messageLimits.ts';
import { element, setText, textButton } from '../../kit/element.ts';

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

  constructor(acts: SummaryActs) {
    this.#acts = acts;
    this.#start = textButton('button', l10n.t('Start New Chat'), () => {
      if (this.#box.value.trim() !== '') acts.post({ type: 'useSummary', text: this.#box.value });
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
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#tell(), REST_MS);
    });
    this.#box.addEventListener('blur', () => this.#tell());
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      // Not the Escape of a reply, which stops it.
      event.preventDefault();
      event.stopPropagation();
      this.#cancel();
    });
  }

  show(summary: SummaryView | undefined): void {
    const before = this.#state;
    this.#state = summary?.state;
    this.element.hidden = summary === undefined;
    if (summary === undefined) return;
    const { state, text, problem } = summary;
    const words = {
      writing: l10n.t('Writing a summary of this conversation…'),
      ready: l10n.t('Edit the summary as you like. It goes with the first message of the new chat.'),
      failed: problem === undefined ? '' : `${problem.title}. ${problem.detail}`,
    }[state];
    setText(this.#words, words);
    if (state !== before) this.#acts.say(words);
    // Once it's complete, the user's edits stay.
    if (state !== 'ready' || before !== 'ready') this.#box.value = text;
    this.#box.readOnly = state === 'writing';
    this.#box.hidden = state === 'failed' && text === '';
    this.#start.hidden = state !== 'ready';
    this.#again.hidden = state !== 'failed';
    if (state === 'writing') this.#box.scrollTop = this.#box.scrollHeight;
    if (state === 'ready' && before === 'writing') this.#box.focus();
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
