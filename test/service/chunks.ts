import type { ReplyPart } from './models/modelDefinition.ts';

interface ReplyHead {
  /** The completion's id. */
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly model: string;
}

/** Usage and x_metrics in the words of the wire; absent for models that send neither. */
export interface WireFigures {
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
  };
  readonly x_metrics?: { readonly ttft_seconds: number; readonly tps: number; readonly total_time_seconds: number };
}

export const doneEvent = 'data: [DONE]\n\n';

/** Makes the events of one streamed reply. */
export class ChunkWriter {
  readonly #head: ReplyHead;
  readonly #beforeDelta: string;

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

  /** Built by hand: a reply is tens of thousands of these. */
  delta({ part, text }: ReplyPart): string {
    return this.#chunk(`{"${part === 'text' ? 'content' : 'reasoning_content'}":${JSON.stringify(text)}}`);
  }

  /** The last chunk: why the reply ended, and its figures. */
  finish(finishReason: string, figures: WireFigures): string {
    const choices = [{ index: 0, delta: {}, finish_reason: finishReason }];
    return `data: ${JSON.stringify({ ...this.#head, object: 'chat.completion.chunk', choices, ...figures })}\n\n`;
  }

  #chunk(delta: string): string {
    return `${this.#beforeDelta}${delta},"finish_reason":null}]}\n\n`;
  }
}

/** The answer to a request with `stream: false` (spec, ChatResponse). */
export function wholeResponse(
  head: ReplyHead,
  reply: { readonly text: string; readonly reasoning: string; readonly finishReason: string },
  figures: WireFigures,
): object {
  const message = {
    role: 'assistant',
    content: reply.text,
    ...(reply.reasoning === '' ? {} : { reasoning_content: reply.reasoning }),
  };
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: reply.finishReason }],
    ...figures,
  };
}
