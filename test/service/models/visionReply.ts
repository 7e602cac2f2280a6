import type { ChatRequest } from '../chatRequest.ts';
import type { ReplyPart } from './modelDefinition.ts';
import { lastUserMessage } from './writing/writerText.ts';

/** One line for each image of the conversation, describing its bytes; then the user's last words. */
export function* visionReply(request: ChatRequest): Generator<ReplyPart, void, undefined> {
  const pictures = request.pictures ?? [];
  if (pictures.length === 0) yield { part: 'text', text: 'There is no picture in this conversation.\n' };
  for (const [index, { format, width, height, bytes, source }] of pictures.entries()) {
    const origin = source === 'data' ? 'inside the request' : 'from its address';
    const text = `Picture ${index + 1}: ${format}, ${width} × ${height} pixels, ${bytes} bytes, ${origin}.\n`;
    yield { part: 'text', text };
  }
  const words = lastUserMessage(request);
  yield { part: 'text', text: words === '' ? 'There were no words with it.' : `\nThe words with it: ${words}` };
}
