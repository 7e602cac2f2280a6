import { ApiError } from './apiError.ts';
import { AnswerReader, type AnswerDecoder, type ExchangeDeps } from './answerReader.ts';
import type { WholeOperation } from './operation.ts';
import type { Reply } from './reply.ts';
import type { ResponseHead } from './transport.ts';

export interface AnswerEvent<Answer> {
  readonly type: 'answer';
  readonly answer: Answer;
}

/** One attempt at an answer that comes in one piece. */
export class WholeReply<Answer> implements Reply<AnswerEvent<Answer>>, AnswerDecoder {
  readonly hasOutput = false;
  readonly #operation: WholeOperation<Answer>;
  readonly #reader: AnswerReader;
  readonly #answer = Promise.withResolvers<Answer>();
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #head: ResponseHead | undefined;
  #isGiven = false;

  constructor(operation: WholeOperation<Answer>, deps: ExchangeDeps) {
    this.#operation = operation;
    this.#reader = new AnswerReader({ ...deps, decoder: this });
    this.#reader.start();
  }

  async nextBatch(): Promise<readonly AnswerEvent<Answer>[] | undefined> {
    if (this.#isGiven) return undefined;
    const answer = await this.#answer.promise;
    this.#isGiven = true;
    return [{ type: 'answer', answer }];
  }

  abandon(): void {
    this.#reader.abandon();
  }

  open(head: ResponseHead): void {
    this.#head = head;
  }

  data(chunk: Uint8Array): void {
    const { answerBytes } = this.#operation;
    this.#bytes += chunk.length;
    if (this.#bytes > answerBytes) throw new ApiError({ kind: 'tooLarge', what: 'body', limitBytes: answerBytes });
    this.#chunks.push(chunk);
  }

  end(): void {
    const { status, header } = this.#head ?? { status: 0, header: () => undefined };
    const body = Buffer.concat(this.#chunks);
    this.#chunks.length = 0;
    this.#answer.resolve(this.#operation.decode({ status, header, body }));
  }

  failed(error: unknown): void {
    this.#chunks.length = 0;
    this.#answer.reject(error);
  }
}
