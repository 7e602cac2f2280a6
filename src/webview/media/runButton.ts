import * as l10n from '@vscode/l10n';
import { setText, textButton } from '../kit/element.ts';

/** What costs money: one press, one run. */
export class RunButton {
  readonly element: HTMLButtonElement;
  readonly #title: string;
  #isBusy = false;

  constructor(title: string, run: () => void) {
    this.#title = title;
    this.element = textButton('button run', title, ({ detail }) => {
      // A double click is one wish: its second half would be charged as well.
      if (detail < 2) run();
    });
    this.element.addEventListener('keydown', (event) => {
      if (event.repeat && event.key === 'Enter') event.preventDefault();
    });
  }

  /** From the press until the host has shown the run or refused it. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Not `disabled`, which would take the focus away. */
  set isBusy(isBusy: boolean) {
    this.#isBusy = isBusy;
    this.element.ariaDisabled = String(isBusy);
    this.element.ariaBusy = String(isBusy);
    setText(this.element, isBusy ? l10n.t('Starting…') : this.#title);
  }
}
