import * as l10n from '@vscode/l10n';
import { element, icon } from './element.ts';

/** The button back to the newest text, for a reader who has scrolled away. */
export class JumpButton {
  readonly element: HTMLButtonElement;

  constructor(jump: () => void) {
    this.element = element('button', { type: 'button', class: 'jump', hidden: true });
    this.element.append(icon('arrow-down'), element('span', {}, l10n.t('Jump to latest')));
    this.element.addEventListener('click', jump);
  }

  show(following: boolean): void {
    if (this.element.hidden === following) return;
    this.element.hidden = following;
    if (!following) return;
    this.element.classList.remove('has-new');
    this.element.title = '';
  }

  hintAtNew(): void {
    if (this.element.hidden) return;
    this.element.classList.add('has-new');
    this.element.title = l10n.t("There's new text below");
  }
}
