import * as l10n from '@vscode/l10n';
import { type CompletionView, contextIcons } from '../../../shared/attachment.ts';
import { CompletionList, type ListRow } from './completionList.ts';
import { replaceBeforeCaret } from './replaceBeforeCaret.ts';
import { numberText } from '../../../words/numberText.ts';

/** What the list needs from the page. */
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
      const name = item.kind === 'file' ? (item.detail.split('/').at(-1) ?? '') : '';
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
