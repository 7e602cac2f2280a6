import * as l10n from '@vscode/l10n';
import type { ReplyView } from '../../../shared/chat.ts';
import { modelLabel } from '../../../words/modelLabel.ts';

/** What a screen reader announces when a reply's state has changed, if anything. */
export function endedWords(reply: ReplyView): string | undefined {
  const words = stateWords(reply);
  // The words of a failure have it already.
  return reply.problem === undefined || reply.state === 'failed' || words === undefined
    ? words
    : `${words}. ${reply.problem.title}`;
}

function stateWords({ model, retry, problem, state }: ReplyView): string | undefined {
  switch (state) {
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
