import * as l10n from '@vscode/l10n';
import type { SentTurn } from '../../shared/protocol/requestProtocol.ts';
import { element, icon } from '../kit/element.ts';
import { numberText } from '../../words/numberText.ts';

/** A question as it was sent: the user's text, and each attachment, collapsed. */
export function questionBubble({ words, pieces, pictures }: SentTurn): HTMLElement {
  const bubble = element('div', { class: 'question', role: 'group', 'aria-label': l10n.t('You') });
  if (words !== '') bubble.append(element('div', { class: 'sent-words' }, words));
  for (const { heading, text } of pieces) {
    bubble.append(fold('', [icon('file'), heading], element('pre', { tabindex: '0' }, element('code', {}, text))));
  }
  if (pictures > 0) bubble.append(element('div', { class: 'note' }, icon('file-media'), ' ', picturesText(pictures)));
  return bubble;
}

/** Messages before the question, one below the other. */
export function earlierTurns(turns: readonly SentTurn[]): readonly HTMLElement[] {
  return turns.map(({ role, words, pieces, pictures }) =>
    element(
      'div',
      { class: 'earlier-turn' },
      element('div', { class: 'note' }, roleText(role)),
      ...pieces.map(({ heading }) => element('div', { class: 'note' }, heading)),
      element('div', { class: 'sent-words' }, words),
      ...(pictures > 0 ? [element('div', { class: 'note' }, picturesText(pictures))] : []),
    ),
  );
}

/** A collapsed section that few users need. @param name identifies it when the page is redrawn */
export function fold(name: string, title: readonly (Node | string)[], ...content: readonly Node[]): HTMLElement {
  const details = element('details', name === '' ? {} : { 'data-fold': name });
  details.append(element('summary', {}, ...title), ...content);
  return details;
}

function roleText(role: SentTurn['role']): string {
  const words: Readonly<Record<SentTurn['role'], string>> = {
    system: l10n.t('System prompt'),
    user: l10n.t('You'),
    assistant: l10n.t('Reply'),
    tool: l10n.t('Tool'),
  };
  return words[role];
}

function picturesText(count: number): string {
  return count === 1 ? l10n.t('1 image') : l10n.t('{0} images', numberText(count));
}
