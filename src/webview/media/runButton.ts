import * as l10n from '@vscode/l10n';
import { setText, textButton } from '../kit/element.ts';

/** A button that costs money: one click, one run. */
export class RunButton {
  readonly element: HTMLButtonElement;
  readonly #title: string;
  #isBusy = false;

  constructor(title: string, run: () => void) {
    this.#title = title;
    this.element = textButton('button run', title, ({ detail }) => {
      // A double click means one run, and the second click would be charged as well.
      if (detail < 2) run();
    });
  }

  /** From the click until the host has shown the run or refused it. */
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
