import type { ReplyPart, ToolCallPart } from './models/modelDefinition.ts';

interface ReplyHead {
  /** The completion's id. */
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly model: string;
}

/** Usage and x_metrics in the wire format; absent for models that send neither. */
export interface WireFigures {
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
  };
  readonly x_metrics?: { readonly ttft_seconds: number; readonly tps: number; readonly total_time_seconds: number };
}

export const doneEvent = 'data: [DONE]\n\n';

/** Creates the events of one streamed reply. */
export class ChunkWriter {
  readonly #head: ReplyHead;
  readonly #beforeDelta: string;
  /** IDs of the tool calls so far. */
  readonly #calls: string[] = [];

  constructor(head: ReplyHead) {
    this.#head = head;
    const start = JSON.stringify({
      id: head.id,
      object: 'chat.completion.chunk',
      created: head.created,
      model: head.model,
    });
    this.#beforeDelta = `data: ${start.slice(0, -1)},"choices":[{"index":0,"delta":`;
  }

  role(): string {
    return this.#chunk('{"role":"assistant","content":""}');
  }

  /** Built by hand: a reply has tens of thousands of these. */
  delta(part: ReplyPart): string {
    if (part.part === 'toolCall') {
      const { id, signature } = part;
      const details = { reasoning_details: [{ type: 'reasoning.encrypted', data: signature, id }] };
      const signed = signature === undefined ? {} : details;
      return this.#chunk(JSON.stringify({ tool_calls: [this.#callPiece(part)], ...signed }));
    }
    return this.#chunk(`{"${part.part === 'text' ? 'content' : 'reasoning_content'}":${JSON.stringify(part.text)}}`);
  }

  /** The last chunk: why the reply ended, and its figures. */
  finish(finishReason: string, figures: WireFigures): string {
    const choices = [{ index: 0, delta: {}, finish_reason: finishReason }];
    return `data: ${JSON.stringify({ ...this.#head, object: 'chat.completion.chunk', choices, ...figures })}\n\n`;
  }

  /** Only the first piece of a call has its name and ID. */
  #callPiece({ id, name, text, signature }: ToolCallPart): object {
    const known = this.#calls.indexOf(id);
    if (known >= 0) return { index: known, function: { arguments: text } };
    const index = this.#calls.push(id) - 1;
    const signed = signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
    return { index, id, type: 'function', function: { name, arguments: text }, ...signed };
  }

  #chunk(delta: string): string {
    return `${this.#beforeDelta}${delta},"finish_reason":null}]}\n\n`;
  }
}

/** The response to a request with `stream: false` (spec, ChatResponse). */
export function wholeResponse(
  head: ReplyHead,
  reply: {
    readonly text: string;
    readonly reasoning: string;
    readonly calls?: ReadonlyMap<string, { readonly name: string; readonly text: string }>;
    readonly finishReason: string;
  },
  figures: WireFigures,
): object {
  const message = {
    role: 'assistant',
    content: reply.text,
    ...(reply.reasoning === '' ? {} : { reasoning_content: reply.reasoning }),
    ...(reply.calls === undefined || reply.calls.size === 0 ? {} : { tool_calls: [...reply.calls].map(wholeCall) }),
  };
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: reply.finishReason }],
    ...figures,
  };
}

function wholeCall([id, { name, text }]: readonly [string, { readonly name: string; readonly text: string }]): object {
  return { id, type: 'function', function: { name, arguments: text } };
}
