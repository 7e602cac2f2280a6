import { ChunkWriter, doneEvent, type WireFigures } from '../chunks.ts';
import { countTokens } from '../tokenizer.ts';
import type { FaultContext } from './faultScript.ts';

/** The text of every fault, as far as it gets. The second half has characters of two, three, and four bytes. */
export const firstHalf = 'The answer begins here,';
export const secondHalf = ' and – après un détour – ends here 🏁.';

/** The events of a response that a fault assembles or takes apart. */
export class Spoken {
  readonly role: string;
  readonly first: string;
  readonly second: string;
  readonly finish: string;
  readonly done = doneEvent;
  readonly #chunks: ChunkWriter;
  readonly #context: FaultContext;

  constructor(context: FaultContext) {
    const head = { id: `chatcmpl-${context.requestId}`, created: Math.floor(Date.now() / 1000), model: context.model };
    this.#chunks = new ChunkWriter(head);
    this.#context = context;
    this.role = this.#chunks.role();
    this.first = this.text(firstHalf);
    this.second = this.text(secondHalf);
    this.finish = this.finishFor('stop');
  }

  /** The whole response, in order. */
  get whole(): string {
    return this.role + this.first + this.second + this.finish + this.done;
  }

  text(text: string): string {
    return this.#chunks.delta({ part: 'text', text });
  }

  finishFor(reason: string): string {
    return this.#chunks.finish(reason, {});
  }

  /** A chunk with these choices, and other fields. */
  chunk(choices: unknown, extra: object = {}): string {
    const { requestId: id, model } = this.#context;
    return `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', model, choices, ...extra })}\n\n`;
  }

  /** A chunk whose only choice has this delta. */
  delta(delta: unknown, extra: object = {}): string {
    return this.chunk([{ index: 0, delta, finish_reason: null }], extra);
  }

  /** The usage of a response that was written up to and including `text`. */
  usage(text: string): NonNullable<WireFigures['usage']> {
    const { promptTokens } = this.#context;
    const completionTokens = countTokens(text);
    return {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    };
  }

  /** An error envelope as JSON text. */
  error(): string {
    const { requestId, model } = this.#context;
    return JSON.stringify({
      error: {
        message: `${model} broke off, as it always does.`,
        type: 'server_error',
        code: 'backend_unavailable',
        param: null,
        request_id: requestId,
      },
    });
  }
}
