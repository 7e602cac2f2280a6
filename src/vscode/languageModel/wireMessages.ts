import * as vscode from 'vscode';
import type { ContentPart, ChatRequest, ChatMessage } from '../../api/operations/chatCompletion.ts';
import { withoutContexts } from '../../api/service/lostContexts.ts';
import type { CallContext, ChatTool, ToolMessage } from '../../api/toolTypes.ts';
import { splitUnopenedThoughts } from '../../shared/text/unopenedThoughts.ts';
import type { CallMade } from './callContexts.ts';
import { promptText } from './promptText.ts';

type Message = ChatMessage | ToolMessage;
type RequestMessage = vscode.LanguageModelChatRequestMessage;

/** The third role of VS Code's chat. Its name isn't in the API yet. */
const systemRole = 3;

/** What the service expects back with a call. */
type ContextOf = (call: CallMade) => CallContext | undefined;

/** VS Code's messages in the wire format. Parts that no service knows, for example cache marks, are left out. */
export function wireMessages(
  messages: readonly RequestMessage[],
  contextOf: ContextOf = () => undefined,
): ChatRequest['messages'] {
  const sent = messages.flatMap((message) =>
    message.role === vscode.LanguageModelChatMessageRole.Assistant
      ? fromAssistant(message, contextOf)
      : fromUser(message),
  );
  // A field that is always empty shows no reasoning that the service could expect back.
  const hasReasoning = sent.some((message) => 'tool_calls' in message && Boolean(message.reasoning_content));
  return hasReasoning ? sent : withoutContexts(sent, ['reasoning_content']);
}

export function wireTools(tools: readonly vscode.LanguageModelChatTool[]): readonly ChatTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    // Services expect a schema even if there's no input.
    function: { name, description, parameters: inputSchema ?? { type: 'object', properties: {} } },
  }));
}

function fromAssistant({ content }: RequestMessage, contextOf: ContextOf): readonly Message[] {
  const { text } = splitUnopenedThoughts(textOfParts(content));
  const calls = content.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
  if (calls.length > 0) {
    const contexts = calls.map(({ callId: id, name, input }) => contextOf({ id, name, input }));
    const called = calls.map(({ callId, name, input }, index) => {
      const extra = contexts[index]?.extraContent;
      return {
        id: callId,
        type: 'function' as const,
        function: { name, arguments: JSON.stringify(input) },
        ...(extra !== undefined && { extra_content: extra }),
      };
    });
    const { reasoningContent, reasoningDetails } =
      contexts.find((context) => (context?.reasoningContent ?? context?.reasoningDetails) !== undefined) ?? {};
    return [
      {
        role: 'assistant',
        content: text,
        ...(reasoningContent !== undefined && { reasoning_content: reasoningContent }),
        ...(reasoningDetails !== undefined && { reasoning_details: reasoningDetails }),
        tool_calls: called,
      },
    ];
  }
  return text === '' ? [] : [{ role: 'assistant', content: text }];
}

/** The results of tools come first, because they answer the previous message. */
function fromUser({ role, content }: RequestMessage): readonly Message[] {
  const results = content.filter((part) => part instanceof vscode.LanguageModelToolResultPart);
  const messages: Message[] = results.map((result) => ({
    role: 'tool',
    tool_call_id: result.callId,
    content: textOfParts(result.content),
  }));
  // On the wire, a result is only text, so its images follow as the user's.
  const pictures = results.flatMap((result) => contentOf(result.content).filter(({ type }) => type === 'image_url'));
  const said = [...pictures, ...contentOf(content)];
  const [first] = said;
  if (first === undefined) return messages;
  const isPlainText = said.length === 1 && first.type === 'text';
  return [
    ...messages,
    { role: Object.is(role, systemRole) ? 'system' : 'user', content: isPlainText ? first.text : said },
  ];
}

/** Text and images in their original order. */
function contentOf(parts: readonly unknown[]): readonly ContentPart[] {
  const content: ContentPart[] = [];
  let words: unknown[] = [];
  const takeWords = () => {
    const text = textOfParts(words);
    if (text !== '') content.push({ type: 'text', text });
    words = [];
  };
  for (const part of parts) {
    if (part instanceof vscode.LanguageModelDataPart && part.mimeType.startsWith('image/')) {
      takeWords();
      content.push({ type: 'image_url', image_url: { url: dataUrl(part) } });
    } else words.push(part);
  }
  takeWords();
  return content;
}

/** Text parts are pieces of one text, as in a stream. Other parts with text are on separate lines. */
function textOfParts(parts: readonly unknown[]): string {
  let text = '';
  let isOpen = false;
  for (const part of parts) {
    const words = wordsOf(part);
    if (words === '') continue;
    const isPiece = part instanceof vscode.LanguageModelTextPart;
    text += text === '' || (isOpen && isPiece) ? words : `\n${words}`;
    isOpen = isPiece;
  }
  return text;
}

function wordsOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return promptText(part.value);
  return part instanceof vscode.LanguageModelDataPart && isText(part.mimeType) ? decode(part.data) : '';
}

function dataUrl({ mimeType, data }: vscode.LanguageModelDataPart): string {
  return `data:${mimeType};base64,${Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')}`;
}

function isText(mimeType: string): boolean {
  return mimeType.startsWith('text/') || mimeType === 'application/json';
}

function decode(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}
