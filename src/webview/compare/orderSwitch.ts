import * as l10n from '@vscode/l10n';
import { type CompareOrder, compareOrders } from '../../shared/protocol/compareProtocol.ts';
import { element, textButton } from '../kit/element.ts';

/** Whether the models are asked at the same time. */
export class OrderSwitch {
  readonly element: HTMLElement;
  readonly #buttons: ReadonlyMap<CompareOrder, HTMLButtonElement>;

  constructor(choose: (order: CompareOrder) => void) {
    const words: Readonly<Record<CompareOrder, readonly [label: string, hint: string]>> = {
      allAtOnce: [
        l10n.t('All at once'),
        l10n.t('All requests are sent at once. Models on the same machine slow each other down.'),
      ],
      oneAfterAnother: [
        l10n.t('One after another'),
        l10n.t(
          'Each model is asked when the one before it has finished, which is fair for models on the same machine.',
        ),
      ],
    };
    this.#buttons = new Map(
      compareOrders.map((order) => {
        const [label, hint] = words[order];
        const button = textButton('order', label, () => choose(order));
        button.title = hint;
        return [order, button];
      }),
    );
    this.element = element(
      'div',
      { class: 'order-switch', role: 'group', 'aria-label': l10n.t('Order') },
      ...this.#buttons.values(),
    );
  }

  show(shown: CompareOrder): void {
    for (const [order, button] of this.#buttons) button.setAttribute('aria-pressed', String(order === shown));
  }
}
