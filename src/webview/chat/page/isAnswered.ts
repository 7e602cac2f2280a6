import type { ToHost } from '../../../shared/chatProtocol.ts';
import { asksForReply } from './asksForReply.ts';

/** Whether the host says something to this at once. */
export function isAnswered(message: ToHost): boolean {
  return message.type === 'draftChanged' || asksForReply(message);
}
