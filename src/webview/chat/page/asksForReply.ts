import type { ToHost } from '../../../shared/protocol/chatProtocol.ts';

/** Whether this message asks for a reply, so that one of this page's own messages will follow. */
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

/** Whether the host responds to this at once. */
export function isAnswered(message: ToHost): boolean {
  return ['draftChanged', 'offerRetry', 'showVersion'].includes(message.type) || asksForReply(message);
}
