import * as l10n from '@vscode/l10n';
import type { CompareTurnView } from '../../shared/protocol/compareProtocol.ts';
import { element } from '../kit/element.ts';

/** The last question, above its replies; before the first one, what the page is for. */
export class QuestionView {
  readonly element = element('div', { class: 'compare-question', hidden: true });
  readonly invitation = element(
    'div',
    { class: 'compare-empty' },
    element('h2', {}, l10n.t('One question, several models')),
    element('p', {}, l10n.t('Replies stream side by side, with their speed on one scale.')),
  );

  show(last: CompareTurnView | undefined): void {
    this.invitation.hidden = last !== undefined;
    this.element.hidden = last === undefined;
    const names = last?.attachments.map(({ name }) => name) ?? [];
    this.element.replaceChildren(
      element('span', {}, last?.text ?? ''),
      ...(names.length === 0 ? [] : [element('span', { class: 'compare-attached' }, ` · ${names.join(', ')}`)]),
    );
  }
}
