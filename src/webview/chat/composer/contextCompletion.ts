import * as l10n from '@vscode/l10n';
import { type CompletionView, contextIcons } from '../../../shared/attachment.ts';
import { CompletionList, type ListRow } from './completionList.ts';
import { replaceBeforeCaret } from './replaceBeforeCaret.ts';

/** What the list needs from the page. */
export interface CompletionActs {
  readonly ask: (request: number, typed: string) => void;
  readonly take: (item: CompletionView) => void;
  readonly say: (text: string) => void;
}

interface Row extends ListRow {
  readonly item: CompletionView;
}

/**
 * The list that `#` opens. No row is selected until an arrow key was pressed, so that Enter sends the message as it is.
 */
export class ContextCompletion {
  readonly #list: CompletionList<Row>;
  readonly #acts: CompletionActs;
  #request = 0;
  #typed = '';

  constructor(box: HTMLTextAreaElement, acts: CompletionActs) {
    this.#acts = acts;
    this.#list = new CompletionList<Row>(box, {
      id: 'parlance-completions',
      name: l10n.t('Context to add'),
      startsAtFirst: false,
      opened: (count) =>
        acts.say(
          count === 1
            ? l10n.t('1 suggestion. Press Tab to add it.')
            : l10n.t(
                '{0} suggestions. Use the arrow keys to select, Enter to add the selected one, Tab to add the first.',
                count,
              ),
        ),
      take: ({ item }) => {
        this.#request += 1;
        // From now on the chip replaces the word: a file's name stays in the sentence, a kind's is removed.
        const name = item.kind === 'file' ? (item.detail.split('/').at(-1) ?? '') : '';
        replaceBeforeCaret(box, '#', name === '' ? '' : `${name} `);
        acts.take(item);
      },
    });
  }

  get element(): HTMLElement {
    return this.#list.element;
  }

  /** Asks what these characters could stand for. The result of an earlier query is ignored. */
  ask(typed: string): void {
    this.#request += 1;
    this.#typed = typed;
    this.#acts.ask(this.#request, typed);
  }

  show(request: number, items: readonly CompletionView[]): void {
    if (request !== this.#request) return;
    const none = this.#typed === '' ? undefined : l10n.t('No context matches "{0}".', this.#typed);
    this.#list.show(
      items.map((item) => ({ item, icon: iconOf(item), label: item.label, detail: item.detail })),
      none,
    );
    if (items.length === 0 && none !== undefined) this.#acts.say(none);
  }

  close(): void {
    this.#request += 1;
    this.#list.hide();
  }

  /** @returns true if the list handled the key */
  keyDown(event: KeyboardEvent): boolean {
    const wasOpen = !this.element.hidden;
    const isTaken = this.#list.keyDown(event);
    // The user has closed it, so a result that is still on its way must not open it again.
    if (wasOpen && this.element.hidden) this.#request += 1;
    return isTaken;
  }
}

function iconOf({ kind }: CompletionView): string {
  return kind === 'picture' ? 'file-media' : contextIcons[kind];
}
