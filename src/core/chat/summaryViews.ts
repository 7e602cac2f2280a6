import * as l10n from '@vscode/l10n';
import type { ChatEvent } from '../../api/types.ts';
import type { SummaryView } from '../../shared/protocol/chatProtocol.ts';
import { incompleteSentence } from '../../words/ending.ts';
import { warning } from '../../words/warning.ts';

/**
 * A summary as it's being written, and finally its outcome: a new chat can't start with an empty one.
 * @param heard called with each event as it arrives
 * @param lacksLast whether it isn't about the last message
 * @param lacksFirst whether the service dropped the beginning of the conversation, once all events were heard
 */
export async function* summaryViews(
  events: AsyncIterable<ChatEvent>,
  heard: (event: ChatEvent) => unknown,
  lacksLast: boolean,
  lacksFirst: () => boolean,
): AsyncGenerator<SummaryView> {
  let text = '';
  let reason: string | undefined;
  let isComplete = false;
  for await (const event of events) {
    heard(event);
    if (event.type === 'text') yield { state: 'writing', text: (text += event.text) };
    if (event.type === 'finish') ({ reason } = event);
    if (event.type === 'end') isComplete = event.complete;
  }
  const dropped = lacksFirst()
    ? l10n.t("The service probably dropped the beginning of the conversation, so it isn't in the summary.")
    : undefined;
  const ending = [isComplete ? undefined : incompleteSentence(reason), dropped].filter(Boolean).join(' ') || undefined;
  yield text.trim() === ''
    ? { state: 'failed', text: '', problem: warning(l10n.t('The reply has no text'), ending ?? '') }
    : { state: 'ready', text, ...(ending !== undefined && { ending }), ...(lacksLast && { lacksLast }) };
}
