import * as l10n from '@vscode/l10n';
import { type CompletionView, contextIcons } from '../../../shared/attachment.ts';
import type { PromptRow } from '../../../shared/protocol/chatProtocol.ts';
import { CompletionList, type ListRow } from './completionList.ts';
import { numberText } from '../../../words/numberText.ts';

/** What the list that `#` opens needs from the page. */
export interface ContextActs {
  readonly ask: (request: number, typed: string) => void;
  readonly take: (item: CompletionView) => void;
  readonly say: (text: string) => void;
}

export interface ContextRow extends ListRow {
  readonly item: CompletionView;
}

/**
 * The list that `#` opens. No row is selected until an arrow key was pressed, so that Enter sends the message as it is.
 */
export function contextCompletion(
  box: HTMLTextAreaElement,
  { ask, take, say }: ContextActs,
): CompletionList<ContextRow> {
  return new CompletionList<ContextRow>(box, {
    id: 'parlance-completions',
    name: l10n.t('Context to add'),
    startsAtFirst: false,
    ask,
    take: ({ item }) => {
      // From now on the chip replaces the word: a file's name stays in the sentence, a kind's is removed.
      // The detail is the path; at the top of a folder, that's the label.
      const name = item.kind === 'file' ? ((item.detail || item.label).split('/').at(-1) ?? '') : '';
      replaceBeforeCaret(box, '#', name === '' ? '' : `${name} `);
      take(item);
    },
    openedWords: (count) =>
      count === 1
        ? l10n.t('1 suggestion. Press Tab to add it.')
        : l10n.t(
            '{0} suggestions. Use the arrow keys to select, Enter to add the selected one, Tab to add the first.',
            numberText(count),
          ),
    noneWords: (typed) => (typed === '' ? undefined : l10n.t('No context matches "{0}".', typed)),
    say,
  });
}

export function contextRow(item: CompletionView): ContextRow {
  const { kind, label, detail } = item;
  return { item, icon: kind === 'picture' ? 'file-media' : contextIcons[kind], label, detail };
}

/** What the list that `/` opens needs from the page. */
export interface PromptActs {
  readonly ask: (request: number, typed: string) => void;
  /** Runs the prompt of this row. */
  readonly run: (row: string) => void;
  readonly say: (text: string) => void;
}

/** The list of prompts that `/` opens. The typed search text is removed once a prompt runs. Escape keeps it. */
export function promptCompletion(box: HTMLTextAreaElement, { ask, run, say }: PromptActs): CompletionList<PromptRow> {
  return new CompletionList<PromptRow>(box, {
    id: 'parlance-prompts',
    name: l10n.t('Prompts'),
    startsAtFirst: true,
    ask,
    take: ({ id }) => {
      replaceBeforeCaret(box, '/', '');
      run(id);
    },
    openedWords: (count) =>
      count === 1
        ? l10n.t('1 prompt. Press Enter to run it.')
        : l10n.t('{0} prompts. Use the arrow keys to select, Enter to run the selected one.', numberText(count)),
    noneWords: (typed) => l10n.t('No prompts match "{0}".', typed),
    say,
  });
}

/**
 * Replaces the text from the last such character before the cursor up to the cursor, and fires an input event as if it
 * had been typed.
 */
function replaceBeforeCaret(box: HTMLTextAreaElement, sign: string, words: string): void {
  const { selectionStart: caret, value } = box;
  const start = value.slice(0, caret).lastIndexOf(sign);
  if (start >= 0) {
    box.setSelectionRange(start, caret);
    // The only way that keeps the text's undo history.
    if (!document.execCommand('insertText', false, words)) box.setRangeText(words, start, caret, 'end');
  }
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
