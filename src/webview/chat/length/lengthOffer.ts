import type { ModelRef } from '../../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { LargerModel } from '../../../shared/conversationLength.ts';
import type { ToHost } from '../../../shared/protocol/chatProtocol.ts';
import { tokenLimitText } from '../../../words/tokens.ts';
import { element, icon, iconButton, setText, textButton } from '../../kit/element.ts';
import { modelLabel } from '../../../words/modelLabel.ts';

/** What the suggestion needs from the page around it. */
export interface OfferActs {
  readonly post: (message: ToHost) => void;
  readonly say: (text: string) => void;
  /** Moves the focus to the message box. */
  readonly leave: () => void;
}

/** What the suggestion is about. */
export interface OfferedLength {
  readonly conversationId: string;
  readonly model: ModelRef;
  readonly larger: readonly LargerModel[];
  /** The max tokens of a request, if the conversation has enough room without them. */
  readonly maxTokens?: number;
  /** Whether an earlier question could be left out. */
  readonly canLeaveOut: boolean;
}

/**
 * Shown above the message box once a conversation nearly fills the context window: what the user can do before it's too
 * long.
 */
export class LengthOffer {
  readonly element: HTMLElement;
  readonly #acts: OfferActs;
  readonly #words = element('span', { class: 'length-words' });
  readonly #buttons = element('div', { class: 'length-buttons' });
  /** The conversation and the model for which the user dismissed it. */
  #dismissed = '';
  #shown = '';

  constructor(acts: OfferActs) {
    this.#acts = acts;
    const dismiss = iconButton('close', l10n.t('Dismiss'), () => {
      this.#dismissed = this.#shown.split('\n').slice(0, 2).join('\n');
      this.#hide();
      acts.leave();
    });
    this.element = element(
      'div',
      { class: 'foot-bar length-offer', role: 'group', 'aria-label': l10n.t('Long conversation'), hidden: true },
      icon('warning'),
      element('div', { class: 'length-body' }, this.#words, this.#buttons),
      dismiss,
    );
  }

  show(offered: OfferedLength | undefined): void {
    if (offered === undefined) return this.#hide();
    const { conversationId, model, larger, maxTokens, canLeaveOut } = offered;
    if (this.#dismissed === `${conversationId}\n${model}`) return this.#hide();
    const key = [conversationId, model, maxTokens, canLeaveOut, ...larger.map(({ id }) => id)].join('\n');
    if (key === this.#shown) return;
    const isNew = this.element.hidden;
    this.#shown = key;
    const words =
      maxTokens === undefined
        ? l10n.t('This conversation nearly fills the context window of {0}.', modelLabel(model))
        : l10n.t(
            'This conversation and a reply of up to {0} nearly fill the context window of {1}.',
            tokenLimitText(maxTokens),
            modelLabel(model),
          );
    setText(this.#words, words);
    const { post } = this.#acts;
    this.#buttons.replaceChildren(
      ...larger.map(({ id, contextWindow }) =>
        textButton('link', l10n.t('Use {0} ({1})', modelLabel(id), tokenLimitText(contextWindow)), () =>
          this.#act(() => post({ type: 'runAction', action: 'useModel', model: id })),
        ),
      ),
      textButton('link', l10n.t('Summarize in New Chat'), () => this.#act(() => post({ type: 'summarize' }))),
    );
    if (canLeaveOut) {
      const leaveOut = (): void => this.#act(() => post({ type: 'leaveOutEarliest' }));
      this.#buttons.append(textButton('link', l10n.t('Exclude Earliest Messages'), leaveOut));
    }
    this.element.hidden = false;
    if (isNew) this.#acts.say(words);
  }

  #hide(): void {
    this.#shown = '';
    this.element.hidden = true;
  }

  #act(act: () => void): void {
    act();
    this.#acts.leave();
  }
}
