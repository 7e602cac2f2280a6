import * as l10n from '@vscode/l10n';
import type { ChatOptions } from '../../shared/chat.ts';
import {
  type CompareColumnView,
  type CompareEstimate,
  type CompareSetup,
  isComposerMessage,
  type ToCompareHost,
} from '../../shared/protocol/compareProtocol.ts';
import { maxTextLength } from '../../shared/messageLimits.ts';
import type { Problem } from '../../shared/problem.ts';
import { additionProblems } from '../../words/additionProblems.ts';
import { namedCost } from '../../words/amount.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { tokensText } from '../../words/tokens.ts';
import { Composer } from '../chat/composer/composer.ts';
import { NoteList } from '../chat/composer/noteList.ts';
import { element, setText } from '../kit/element.ts';
import { ProblemSlot } from '../kit/problemCard.ts';
import type { Ticker } from '../kit/ticker.ts';
import { AddresseeButton } from './addresseeButton.ts';
import { OrderSwitch } from './orderSwitch.ts';

export interface CompareFootActs {
  readonly post: (message: ToCompareHost) => void;
  readonly say: (text: string) => void;
  /** Keeps the draft across a reload. */
  readonly remember: (draft: string) => void;
  /** Puts text on the clipboard. */
  readonly copy: (text: string) => void;
  readonly comparisonId: () => string;
}

/**
 * The composer that all columns share: which models get the message, in which order, how many tokens it needs, and why
 * it can't be sent.
 */
export class CompareFoot {
  readonly element: HTMLElement;
  readonly composer: Composer;
  readonly notes: NoteList;
  readonly #acts: CompareFootActs;
  readonly #order: OrderSwitch;
  readonly #addressee: AddresseeButton;
  readonly #estimate = element('span', { class: 'compare-estimate' });
  readonly #refusal: ProblemSlot;
  /** Why something couldn't be done, as long as that is shown. */
  #refused: Problem | undefined;
  #to: string | undefined;

  constructor(acts: CompareFootActs, ticker: Ticker) {
    const { post, say } = acts;
    this.#acts = acts;
    this.#order = new OrderSwitch((order) => post({ type: 'setOrder', order }));
    this.#addressee = new AddresseeButton((columnId) => {
      post({ type: 'setTo', ...(columnId !== undefined && { columnId }) });
      this.composer.focus();
    });
    this.composer = new Composer(
      {
        ask: (text, attachments) => this.#ask(text, attachments),
        optionsChanged: (options) => post({ type: 'optionsChanged', conversationId: acts.comparisonId(), options }),
        draftChanged: (text) => this.draftChanged(text),
      },
      {
        // The others don't apply to a comparison.
        post: (message) => {
          if (isComposerMessage(message)) post(message);
        },
        say,
        refuse: (problem) => this.refuse(problem),
        settled: (problem) => {
          if (this.#refused === problem) this.refuse(undefined);
        },
      },
      {
        beside: [this.#addressee.element, this.#order.element],
        beforeSend: [this.#estimate],
        stop: l10n.t('Stop All'),
      },
    );
    this.notes = new NoteList((id, button) => post({ type: 'endNote', id, ...(button !== undefined && { button }) }));
    this.#refusal = new ProblemSlot(
      { class: 'refusal' },
      {
        run: (action) => {
          // With another model, it no longer applies.
          if (action === 'selectModel') this.refuse(undefined);
          post({ type: 'runAction', action });
        },
        copy: (text) => acts.copy(text),
        dismiss: () => {
          this.refuse(undefined);
          this.composer.focus();
        },
      },
      ticker,
    );
    this.element = element('div', { class: 'foot' }, this.#refusal.element, this.notes.element, this.composer.element);
  }

  /** @param isOther true for a different comparison */
  showSetup({ options, order }: CompareSetup, defaults: ChatOptions, isOther: boolean): void {
    this.composer.showOptions(options, defaults, isOther);
    this.#order.show(order);
  }

  /**
   * Its `to` is the column that gets the next message; absent for all.
   * @param hasBlind the columns are blind right now, even if the next question won't be
   */
  showAddressee(columns: readonly CompareColumnView[], { to, isBlind }: CompareSetup, hasBlind: boolean): void {
    const one = columns.find(({ id }) => id === to);
    this.#to = one?.id;
    this.#addressee.show(columns, this.#to, isBlind || hasBlind);
    this.composer.setPlaceholder(
      one === undefined ? toAll(columns.length) : l10n.t('Message {0}', modelLabel(one.model)),
    );
  }

  showEstimate({ promptTokens, cost }: CompareEstimate): void {
    const tokens = promptTokens === undefined ? '' : tokensText(promptTokens, true);
    const input = tokens === '' || this.#to !== undefined ? tokens : l10n.t('{0} to each', tokens);
    setText(
      this.#estimate,
      [input, cost === undefined ? '' : namedCost(cost)].filter((part) => part !== '').join(' · '),
    );
  }

  draftChanged(text: string): void {
    this.#acts.remember(text);
    this.#acts.post({ type: 'draftChanged', conversationId: this.#acts.comparisonId(), text, version: 0 });
  }

  /** Shows why something can't be done; without a problem, hides that. */
  refuse(problem: Problem | undefined): void {
    this.#refused = problem;
    this.#refusal.show(problem);
    if (problem !== undefined) this.#acts.say(problem.title);
  }

  /** False, after telling the user, for a text that is too long for the host. */
  fits(text: string): boolean {
    if (text.length <= maxTextLength) return true;
    this.refuse(additionProblems.textTooLong(text.length));
    return false;
  }

  #ask(text: string, attachments: readonly string[]): boolean {
    if (!this.fits(text)) return false;
    this.refuse(undefined);
    this.#acts.post({ type: 'compare', text, attachments, ...(this.#to !== undefined && { to: this.#to }) });
    this.#acts.remember('');
    return true;
  }
}

function toAll(count: number): string {
  if (count === 0) return l10n.t('Add a model to compare.');
  if (count === 1) return l10n.t('Message 1 model');
  return count === 2 ? l10n.t('Message both models') : l10n.t('Message all {0} models', count);
}
