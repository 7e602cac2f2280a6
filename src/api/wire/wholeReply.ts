import { ApiError } from '../apiError.ts';
import { AnswerReader, type AnswerDecoder, type ExchangeDeps } from '../calls/answerReader.ts';
import { GatheredBytes } from '../calls/gatheredBytes.ts';
import type { WholeOperation } from '../operations/operation.ts';
import type { Attempt } from '../calls/attempt.ts';
import type { ResponseHead } from '../transport/transport.ts';

export interface AnswerEvent<Answer> {
  readonly type: 'answer';
  readonly answer: Answer;
}

/** One attempt at a response that arrives in one piece. */
export class WholeReply<Answer> implements Attempt<AnswerEvent<Answer>>, AnswerDecoder {
  readonly hasOutput = false;
  readonly #operation: WholeOperation<Answer>;
  readonly #reader: AnswerReader;
  readonly #answer = Promise.withResolvers<Answer>();
  readonly #body = new GatheredBytes();
  readonly #url: URL;
  #head: ResponseHead | undefined;
  #isGiven = false;

  constructor(operation: WholeOperation<Answer>, deps: ExchangeDeps) {
    this.#operation = operation;
    this.#url = deps.request.url;
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
    if (this.#body.size + chunk.length > answerBytes) {
      throw new ApiError({ kind: 'tooLarge', what: 'body', limitBytes: answerBytes });
    }
    this.#body.add(chunk);
  }

  end(): void {
    const { status, header } = this.#head ?? { status: 0, header: () => undefined };
    this.#answer.resolve(this.#operation.decode({ status, header, body: this.#body.take(), url: this.#url }));
  }

  failed(error: unknown): void {
    this.#body.take();
    this.#answer.reject(error);
  }
}
