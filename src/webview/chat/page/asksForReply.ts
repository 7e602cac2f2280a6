import type { ToHost } from '../../../shared/chatProtocol.ts';

/** Whether this asks the service for a reply, so that a message of this page's own will come. */
export function asksForReply(message: ToHost): boolean {
  switch (message.type) {
    case 'ask':
    case 'retry':
    case 'resend':
      return true;
    case 'runAction':
      return message.action === 'retry' || message.action === 'continue' || message.action === 'useModel';
    default:
      return false;
  }
}

/** Whether the host says something to this at once. */
export function isAnswered(message: ToHost): boolean {
  return ['draftChanged', 'offerRetry', 'showVersion'].includes(message.type) || asksForReply(message);
}
