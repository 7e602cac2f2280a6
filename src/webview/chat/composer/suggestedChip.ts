import * as l10n from '@vscode/l10n';
import type { SuggestedContext } from '../../../shared/attachment.ts';
import { withEstimateMark } from '../../../words/figureMark.ts';
import { compactTokens, tokensText } from '../../../words/tokens.ts';
import { element, icon } from '../../kit/element.ts';

/** The key that adds the suggestion, from the text. */
const addSuggestedKey = 'Alt+Enter';

/** What the user is looking at, as a chip that is only a suggestion: a click adds it. */
export function suggestedChip({ name, detail, tokens }: SuggestedContext, add: () => void): HTMLElement {
  const words = l10n.t('Add {0}', name);
  const lines = [
    `${words} (${addSuggestedKey})`,
    detail,
    tokensText(tokens, true),
    l10n.t('Not sent until you add it.'),
  ];
  const button = element(
    'button',
    {
      type: 'button',
      class: 'chip-open',
      title: lines.join('\n'),
      'aria-label': `${words}, ${tokensText(tokens, true)}`,
      'aria-keyshortcuts': addSuggestedKey,
    },
    icon('add'),
    element('span', { class: 'chip-name' }, name),
    element('span', { class: 'chip-size' }, withEstimateMark(compactTokens(tokens), true)),
  );
  button.addEventListener('click', add);
  return element('li', { class: 'chip suggested', 'data-id': 'suggested' }, button);
}
