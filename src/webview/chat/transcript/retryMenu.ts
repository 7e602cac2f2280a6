import * as l10n from '@vscode/l10n';
import type { RetryModel, ToHost } from '../../../shared/protocol/chatProtocol.ts';
import type { ModelRef } from '../../../shared/modelRef.ts';
import { modelLabel } from '../../../words/modelLabel.ts';
import { openMenu } from '../../kit/popupMenu.ts';

/** The Retry menu: with the conversation's model, or with another one. */
export class RetryMenu {
  readonly #post: (message: ToHost) => void;
  #asked: { readonly replyId: string; readonly button: HTMLElement } | undefined;

  constructor(post: (message: ToHost) => void) {
    this.#post = post;
  }

  /** Opens the menu at this button once the host has sent the models to offer. */
  ask(replyId: string, button: HTMLElement): void {
    this.#asked = { replyId, button };
    this.#post({ type: 'offerRetry', replyId });
  }

  /** @param model the one that Retry uses, if another one wrote the reply */
  open(replyId: string, models: readonly RetryModel[], model?: ModelRef): void {
    const asked = this.#asked;
    if (asked?.replyId !== replyId || !asked.button.isConnected) return;
    this.#asked = undefined;
    openMenu(asked.button, l10n.t('Retry'), [
      [
        {
          label: model === undefined ? l10n.t('Retry') : retryWithText(model),
          run: () => this.#post({ type: 'retry', replyId }),
        },
      ],
      models.map(({ id, speed }) => ({
        label: retryWithText(id),
        detail: speed,
        run: () => this.#post({ type: 'retry', replyId, model: id }),
      })),
      [
        { label: l10n.t('Retry with Another Model…'), run: () => this.#post({ type: 'retryWithOther', replyId }) },
        { label: l10n.t('Compare Models…'), run: () => this.#post({ type: 'compareReply', replyId }) },
      ],
    ]);
  }
}

function retryWithText(id: ModelRef): string {
  return l10n.t('Retry with {0}', modelLabel(id));
}
