import * as l10n from '@vscode/l10n';
import type { PromptRow } from '../../../shared/chatProtocol.ts';
import { CompletionList } from './completionList.ts';
import { replaceBeforeCaret } from './replaceBeforeCaret.ts';
import { numberText } from '../../../words/numberText.ts';

/** What the list needs from the page. */
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
