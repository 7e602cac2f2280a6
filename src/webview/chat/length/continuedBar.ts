import * as l10n from '@vscode/l10n';
import type { ContinuedConversation } from '../../../shared/protocol/chatProtocol.ts';
import { element, icon, textButton } from '../../kit/element.ts';

/** Above the first message: a link to the conversation whose summary this one started with. */
export class ContinuedBar {
  readonly element = element('div', { class: 'continued', hidden: true });
  readonly #open: () => void;

  constructor(open: () => void) {
    this.#open = open;
  }

  show(continued: ContinuedConversation | undefined): void {
    this.element.hidden = continued === undefined;
    if (continued === undefined) return;
    const title = continued.title === '' ? l10n.t('Untitled') : continued.title;
    const link = textButton('link', l10n.t('Continues from {0}', title), () => this.#open());
    this.element.replaceChildren(icon('history'), link);
  }
}
