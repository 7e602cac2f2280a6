import { parseChatRequest } from '../service/chatRequest.ts';
import type { LogEntry } from '../service/inferenceLog.ts';
import { writerText } from '../service/models/writing/writerText.ts';

/** What `local/writer` wrote, or would have written in full, for a request in the service's log. */
export function writtenText({ requestBody }: LogEntry): string {
  return [...writerText(parseChatRequest(requestBody))].join('');
}
