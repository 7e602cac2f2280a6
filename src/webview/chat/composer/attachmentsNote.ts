import * as l10n from '@vscode/l10n';
import { type Attachment, type AttachmentsView, tokensOf } from '../../../shared/attachment.ts';
import { aboutTokens } from './attachmentWords.ts';
import { element, icon, setText } from '../../kit/element.ts';
import type { FigureFormat } from '../../kit/figureFormat.ts';

/** What the note speaks of. */
export interface NotedMessage {
  readonly view: AttachmentsView;
  /** What goes with the message. */
  readonly items: readonly Attachment[];
  /** Of the text, in UTF-16 units. */
  readonly length: number;
  readonly model: string;
}

interface Words {
  readonly text: string;
  readonly warning?: 'length' | 'pictures';
}

/** A line below the chips: what the message comes to, or why it may not be seen as it is. */
export class AttachmentsNote {
  readonly element = element('div', { class: 'chips-note', hidden: true });
  readonly #figures: FigureFormat;
  readonly #say: (text: string) => void;
  readonly #words = element('span');
  #said: Words['warning'];

  constructor(figures: FigureFormat, say: (text: string) => void) {
    this.#figures = figures;
    this.#say = say;
    this.element.append(icon('warning'), this.#words);
  }

  /** @param isWaiting true when the message goes as soon as all is added */
  draw(message: NotedMessage, isWaiting: boolean): void {
    const words = isWaiting ? { text: l10n.t('Sends when attachments are ready') } : this.#wordsFor(message);
    this.element.hidden = words === undefined;
    const warning = words?.warning;
    // Once: the figures in its words change with each letter.
    if (words !== undefined && warning !== undefined && warning !== this.#said) this.#say(words.text);
    this.#said = warning;
    if (words === undefined) return;
    this.element.classList.toggle('warns', warning !== undefined);
    setText(this.#words, words.text);
  }

  #wordsFor({ view, items, length, model }: NotedMessage): Words | undefined {
    const figures = this.#figures;
    const { contextWindow, seesPictures } = view;
    const added = items.reduce((sum, { tokens }) => sum + tokens, 0);
    const all = view.conversationTokens + added + tokensOf(length);
    if (contextWindow !== undefined && all > contextWindow) {
      const [is, most] = [figures.count(all), figures.count(contextWindow)];
      return { text: l10n.t('≈ {0} tokens: more than the {1} this model accepts', is, most), warning: 'length' };
    }
    const hasPicture = items.some(({ kind }) => kind === 'picture');
    if (seesPictures === false && hasPicture) {
      return { text: l10n.t("{0} doesn't support images", model), warning: 'pictures' };
    }
    if (seesPictures === undefined && hasPicture) {
      return { text: l10n.t('Image support unknown for this model') };
    }
    if (items.length === 0 || contextWindow === undefined) return undefined;
    const [is, most] = [aboutTokens(all, figures), aboutTokens(contextWindow, figures).slice(2)];
    return { text: l10n.t('{0} of {1} tokens', is, most) };
  }
}
