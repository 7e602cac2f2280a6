import * as l10n from '@vscode/l10n';
import { element, icon } from './element.ts';

/** Says that the extension host is gone, or that a script of the page is. A page can't restore either. */
export class SilenceBar {
  readonly element = element('div', { class: 'foot-bar', role: 'alert', hidden: true });

  constructor() {
    const words = l10n.t("Parlance isn't responding. Reload the window; nothing is lost.");
    this.element.append(icon('warning'), element('span', {}, words));
  }

  show(shown: boolean): void {
    this.element.hidden = !shown;
  }

  /** Waits for what the page can't do without. If that can't be loaded, this is shown, and the error thrown. */
  async unlessLoaded(loading: Promise<void>): Promise<void> {
    try {
      await loading;
    } catch (error) {
      this.show(true);
      throw error;
    }
  }
}
