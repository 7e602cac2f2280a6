import type { ChatRequest } from '../../api/operations/chatCompletion.ts';
import type { Workload } from '../../shared/measuring.ts';

export type Messages = ChatRequest['messages'];

/** About 2,000 tokens with the usual tokenizers. */
const longInputParagraphs = 32;
const paragraph =
  'The harbor opened in spring, when the ice had left the bay and the first boats could reach the old pier. Crews ' +
  'unloaded timber, salt, and wool, and the clerk wrote each crate into a ledger with its weight, owner, and price.';

const shortQuestion = 'Explain in one paragraph why the sky is blue.';
const longOutput = 'Write a long story about a lighthouse keeper. Keep writing until you are told to stop.';

/**
 * The messages of each request of a workload, the same in every language, so that figures can be compared. Undefined
 * for workloads whose messages come from elsewhere.
 */
export function workloadMessages(workload: Workload, ownText: string): Messages | undefined {
  switch (workload) {
    case 'shortQuestion':
      return userMessages(shortQuestion);
    case 'longInput':
      return userMessages(`${longText()}\n\nSummarize the text above in three sentences.`);
    case 'longOutput':
      return userMessages(longOutput);
    case 'ownText':
      return ownText.trim() === '' ? undefined : userMessages(ownText);
    case 'promptFile':
    case 'request':
      return undefined;
  }
}

export function userMessages(content: string): Messages {
  return [{ role: 'user', content }];
}

/** Each paragraph differs from the others, so that a service can't reuse one it has seen. */
function longText(): string {
  return Array.from({ length: longInputParagraphs }, (_, index) => `${index + 1}. ${paragraph}`).join('\n\n');
}
