import * as l10n from '@vscode/l10n';
import type { ReplyView } from '../../../shared/chat.ts';
import { modelLabel } from '../../../words/modelLabel.ts';

/** What a screen reader announces when a reply's state has changed, if anything. */
export function endedWords(reply: ReplyView): string | undefined {
  const { model, retry, problem } = reply;
  switch (reply.state) {
    case 'done':
      return l10n.t('{0} has replied', modelLabel(model));
    case 'stopped':
      return l10n.t('Reply from {0} stopped', modelLabel(model));
    case 'incomplete':
      return l10n.t('Reply from {0} might be incomplete', modelLabel(model));
    case 'interrupted':
      return l10n.t('Reply from {0} was interrupted', modelLabel(model));
    case 'failed':
      return problem === undefined
        ? l10n.t('Reply from {0} failed', modelLabel(model))
        : `${problem.title}. ${problem.detail}`;
    case 'running':
      return retry === undefined ? undefined : l10n.t('{0}. Retrying.', retry.reason);
    case 'elsewhere':
      return undefined;
  }
}
