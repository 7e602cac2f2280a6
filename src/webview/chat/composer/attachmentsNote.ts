import type { ModelRef } from '../../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { Attachment, AttachmentsView } from '../../../shared/attachment.ts';
import { element, icon } from '../../kit/element.ts';
import { marksExplained } from '../../../words/figureMark.ts';
import { lengthWords, overflowWords } from '../length/lengthWords.ts';
import { estimatedTokens } from '../../../words/tokens.ts';
import { modelLabel } from '../../../words/modelLabel.ts';

/** What the note is about. */
export interface NotedMessage {
  readonly view: AttachmentsView;
  /** The attachments of the message. */
  readonly items: readonly Attachment[];
  /** Length of the text, in UTF-16 units. */
  readonly length: number;
  readonly model: ModelRef;
}

interface Words {
  readonly text: string | readonly string[];
  readonly warning?: 'length' | 'pictures';
}

/** A line below the chips: the size of the message, or why the model might not see all of it. */
export class AttachmentsNote {
  readonly element = element('div', { class: 'chips-note', hidden: true });
  readonly #say: (text: string) => void;
  readonly #words = element('span', { class: 'facts' });
  #shown = '';
  #said: Words['warning'];

  constructor(say: (text: string) => void) {
    this.#say = say;
    this.element.append(icon('warning'), this.#words);
  }

  /** @param isWaiting true if the message is sent as soon as everything is added */
  draw(message: NotedMessage, isWaiting: boolean): void {
    const words = isWaiting ? { text: l10n.t('Sends when attachments are ready') } : this.#wordsFor(message);
    this.element.hidden = words === undefined;
    const warning = words?.warning;
    // Once, because the figures in it change with each keystroke.
    if (words !== undefined && warning !== undefined && warning !== this.#said) this.#say(textOfWords(words));
    this.#said = warning;
    if (words === undefined) return;
    this.element.classList.toggle('warns', warning !== undefined);
    if (textOfWords(words) !== this.#shown) this.#words.replaceChildren(...[words.text].flat().map(factOf));
    this.#shown = textOfWords(words);
    this.#words.title = marksExplained(this.#shown).join('\n');
  }

  #wordsFor(message: NotedMessage): Words | undefined {
    const { view, items, model } = message;
    const { seesPictures } = view;
    const all = allTokens(message);
    const overflow = overflowWords(all, view);
    if (overflow !== undefined) return { text: overflow, warning: 'length' };
    const hasPicture = items.some(({ kind }) => kind === 'picture');
    if (seesPictures === false && hasPicture) {
      return { text: l10n.t("{0} doesn't support images", modelLabel(model)), warning: 'pictures' };
    }
    if (seesPictures === undefined && hasPicture) {
      return { text: l10n.t('Image support unknown for this model') };
    }
    const text = lengthWords(all, view, items.length > 0);
    return text === undefined ? undefined : { text };
  }
}

function textOfWords({ text }: Words): string {
  return [text].flat().join(' · ');
}

/** With the dot before it, which the style sheet hides at the beginning of a line. */
function factOf(text: string, index: number): HTMLElement {
  return element('span', { class: 'fact' }, element('span', { class: 'fact-dot' }, index === 0 ? '' : ' · '), text);
}

/** Estimated tokens of the next message, with everything sent before it. */
export function allTokens({ view, items, length }: Omit<NotedMessage, 'model'>): number {
  return view.conversationTokens + items.reduce((sum, { tokens }) => sum + tokens, 0) + estimatedTokens(length);
}
