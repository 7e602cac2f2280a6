import * as l10n from '@vscode/l10n';
import { type CompletionView, contextIcons } from '../../../shared/attachment.ts';
import { CompletionList, type ListRow } from './completionList.ts';
import { replaceBeforeCaret } from './replaceBeforeCaret.ts';

/** What the list asks of the page. */
export interface CompletionActs {
  readonly ask: (request: number, typed: string) => void;
  readonly take: (item: CompletionView) => void;
  readonly say: (text: string) => void;
}

interface Row extends ListRow {
  readonly item: CompletionView;
}

/** The list that `#` opens. No row is chosen until an arrow was pressed, so that Enter sends the message as it stands. */
export class ContextCompletion {
  readonly #list: CompletionList<Row>;
  readonly #acts: CompletionActs;
  #request = 0;

  constructor(box: HTMLTextAreaElement, acts: CompletionActs) {
    this.#acts = acts;
    this.#list = new CompletionList<Row>(box, {
      id: 'parlance-completions',
      name: l10n.t('Context to add'),
      startsAtFirst: false,
      opened: (count) =>
        acts.say(
          l10n.t(
            '{0} suggestions. Use the arrow keys to select, Enter to add the selected one, Tab to add the first.',
            count,
          ),
        ),
      take: ({ item }) => {
        this.#request += 1;
        // The chip stands for the word from now on: a file's name stays in the sentence, a kind's goes.
        const name = item.kind === 'file' ? (item.detail.split('/').at(-1) ?? '') : '';
        replaceBeforeCaret(box, '#', name === '' ? '' : `${name} `);
        acts.take(item);
      },
    });
  }

  get element(): HTMLElement {
    return this.#list.element;
  }

  /** Asks what these characters may stand for; an answer to an earlier question is left alone. */
  ask(typed: string): void {
    this.#request += 1;
    this.#acts.ask(this.#request, typed);
  }

  show(request: number, items: readonly CompletionView[]): void {
    if (request !== this.#request) return;
    this.#list.show(
      items.map((item) => ({ item, icon: contextIcons[item.kind], label: item.label, detail: item.detail })),
    );
  }

  close(): void {
    this.#request += 1;
    this.#list.hide();
  }

  /** @returns true when the key was for the list */
  keyDown(event: KeyboardEvent): boolean {
    const wasOpen = !this.element.hidden;
    const isTaken = this.#list.keyDown(event);
    // The person has closed it: an answer that is still on its way must not open it again.
    if (wasOpen && this.element.hidden) this.#request += 1;
    return isTaken;
  }
}
