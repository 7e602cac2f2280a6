import * as l10n from '@vscode/l10n';
import { element, icon } from '../../kit/element.ts';

/** Says that the extension is gone. A page cannot bring it back by itself. */
export class SilenceBar {
  readonly element = element('div', { class: 'foot-bar', hidden: true });
  readonly words = l10n.t('The extension is not answering. Reload the window; nothing is lost.');

  constructor() {
    this.element.append(icon('warning'), element('span', {}, this.words));
  }

  show(shown: boolean): void {
    this.element.hidden = !shown;
  }
}
