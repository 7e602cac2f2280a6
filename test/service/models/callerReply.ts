import type { ChatRequest } from '../chatRequest.ts';
import { isObject, type JsonObject } from '../requestFields.ts';
import type { ToolDefinition } from '../toolFields.ts';
import type { ReplyPart } from './modelDefinition.ts';
import { lastUserMessage } from './writing/writerText.ts';

/**
 * Calls the tools that the last user message names, in that order, with the JSON object after the name, or with one
 * derived from the tool's schema; if it must call one and none is named, the first. After results, it repeats them.
 * Asked to think, it does that first, and signs its calls.
 */
export function* callerReply(request: ChatRequest): Generator<ReplyPart, void, undefined> {
  const results = resultsSince(request);
  if (results.length > 0) {
    yield { part: 'text', text: results.map((result) => `The tool gave: ${result}`).join('\n') };
    return;
  }
  const words = lastUserMessage(request);
  const named = request.tools
    .filter(({ name }) => words.includes(name))
    .toSorted((a, b) => words.indexOf(a.name) - words.indexOf(b.name));
  const called = named.length === 0 && request.mustCallTool ? request.tools.slice(0, 1) : named;
  if (called.length === 0) {
    yield { part: 'text', text: `I have ${request.tools.length} tools, and was told to call none.` };
    return;
  }
  const thinks = words.includes('Think');
  if (thinks) yield { part: 'reasoning', text: `${called.length} to call.` };
  yield { part: 'text', text: 'Let me see. ' };
  for (const [index, tool] of called.entries()) {
    const input = givenInput(words, tool.name) ?? madeInput(tool);
    const id = `call_${request.messages.length}_${index}`;
    yield {
      part: 'toolCall',
      id,
      name: tool.name,
      text: JSON.stringify(input),
      ...(thinks && { signature: `signed ${id}` }),
    };
  }
}

/** Tool results after the user's last message. */
function resultsSince({ messages }: ChatRequest): readonly string[] {
  const said = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(said + 1).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
}

function givenInput(words: string, name: string): JsonObject | undefined {
  const start = words.indexOf('{', words.indexOf(name));
  if (start < 0) return undefined;
  for (let end = words.indexOf('}', start); end >= 0; end = words.indexOf('}', end + 1)) {
    try {
      const input: unknown = JSON.parse(words.slice(start, end + 1));
      return isObject(input) ? input : undefined;
    } catch {
      // The brace wasn't the last one.
    }
  }
  return undefined;
}

/** A value for each property that the schema asks for. */
function madeInput({ parameters = {} }: ToolDefinition): JsonObject {
  const properties = isObject(parameters['properties']) ? parameters['properties'] : {};
  const required: readonly unknown[] = Array.isArray(parameters['required']) ? parameters['required'] : [];
  const known = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(known.map(([name, schema]) => [name, valueFor(schema)]));
}

function valueFor(schema: unknown): unknown {
  switch (isObject(schema) ? schema['type'] : undefined) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'something';
  }
}
