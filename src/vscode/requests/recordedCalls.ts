import type {
  ApiFormOption,
  ImageAnswer,
  ImageRequest,
  MediaClient,
  MultimodalChatRequest,
  Transcript,
  TranscriptionRequest,
  VideoAnswer,
  VideoRequest,
} from '../../api/mediaTypes.ts';
import type { AnswerOptions, CallOptions, ChatApiOption, ChatClient } from '../../api/inferenceCalls.ts';
import type { ChatEvent, ChatRequest, ModelInfo } from '../../api/types.ts';
import type { ReceivedBody } from '../../core/requests/requestBody.ts';
import type { RequestOrigin } from '../../core/requests/requestRecord.ts';
import { catalogueBody, imageBody, transcriptBody, videoBody } from '../../core/requests/wireBody.ts';
import { CallRecord, type RecordedAsk, type RecorderDeps } from './requestRecorder.ts';

/** All that Parlance asks of the service. */
export interface InferenceCalls extends ChatClient, MediaClient {
  /** @throws {ApiError}, or the signal's reason on a cancel. */
  listModels(options?: AnswerOptions): Promise<readonly ModelInfo[]>;
}

/** The service's operations, each of them written into the request log. Every part of Parlance asks through this. */
export class RecordedCalls implements InferenceCalls {
  readonly #service: InferenceCalls;
  readonly #recorder: RecorderDeps;
  readonly #origin: RequestOrigin;

  constructor(service: InferenceCalls, recorder: RecorderDeps, origin: RequestOrigin = { kind: 'other' }) {
    this.#service = service;
    this.#recorder = recorder;
    this.#origin = origin;
  }

  /** The same operations, logged as asked from there. */
  from(origin: RequestOrigin): RecordedCalls {
    return new RecordedCalls(this.#service, this.#recorder, origin);
  }

  /** The same log, for what is asked of another service. Its models have the prices of its own list, where it was asked for. */
  through(service: InferenceCalls): RecordedCalls {
    let listed: ReadonlyMap<string, ModelInfo> = new Map();
    const recorder: RecorderDeps = {
      ...this.#recorder,
      answered: () => undefined,
      priceOf: (model) => listed.get(model),
      modelsListed: (models) => (listed = new Map(models.map((model) => [model.id, model]))),
    };
    return new RecordedCalls(service, recorder, this.#origin);
  }

  streamChat(request: ChatRequest, options: CallOptions & ChatApiOption = {}): AsyncIterable<ChatEvent> {
    const ask = { operation: 'chat', model: request.model, streamed: request.stream } as const;
    return this.#stream(ask, options, (observed) => this.#service.streamChat(request, observed));
  }

  streamMultimodalChat(
    request: MultimodalChatRequest,
    options: CallOptions & ApiFormOption = {},
  ): AsyncIterable<ChatEvent> {
    const ask = { operation: 'multimodalChat', model: request.model, streamed: request.stream } as const;
    return this.#stream(ask, options, (observed) => this.#service.streamMultimodalChat(request, observed));
  }

  generateVideo(request: VideoRequest, options: AnswerOptions = {}): Promise<VideoAnswer> {
    const { model, duration, audio, draft } = request;
    const made = {
      kind: 'video',
      ...(typeof duration === 'number' && { duration }),
      ...(typeof audio === 'string' && { audio }),
      ...(typeof draft === 'boolean' && { draft }),
    } as const;
    const ask = { operation: 'video', model, streamed: false, made } as const;
    return this.#ask(ask, options, (observed) => this.#service.generateVideo(request, observed), videoBody);
  }

  generateImage(request: ImageRequest, options: AnswerOptions & ApiFormOption = {}): Promise<ImageAnswer> {
    const ask = { operation: 'image', model: request.model, streamed: false, made: { kind: 'image' } } as const;
    return this.#ask(ask, options, (observed) => this.#service.generateImage(request, observed), imageBody);
  }

  transcribeAudio(request: TranscriptionRequest, options: AnswerOptions & ApiFormOption = {}): Promise<Transcript> {
    const { file, ...fields } = request;
    const form = { ...fields, file: { name: file.name, media_type: file.mediaType, bytes: file.bytes.length } };
    const ask = { operation: 'audio', model: request.model, streamed: false, form } as const;
    return this.#ask(ask, options, (observed) => this.#service.transcribeAudio(request, observed), transcriptBody);
  }

  async listModels(options: AnswerOptions = {}): Promise<readonly ModelInfo[]> {
    const ask = { operation: 'catalogue', streamed: false } as const;
    const models = await this.#ask(ask, options, (observed) => this.#service.listModels(observed), catalogueBody);
    this.#recorder.modelsListed(models);
    return models;
  }

  #stream<Options extends CallOptions>(
    ask: Omit<RecordedAsk, 'origin'>,
    options: Options,
    start: (options: Options) => AsyncIterable<ChatEvent>,
  ): AsyncIterable<ChatEvent> {
    return { [Symbol.asyncIterator]: () => new RecordedStream(this.#record(ask, options), options, start) };
  }

  async #ask<Options extends AnswerOptions, Answer extends object>(
    ask: Omit<RecordedAsk, 'origin'>,
    options: Options,
    run: (options: Options) => Promise<Answer>,
    bodyOf: (answer: Answer) => ReceivedBody,
  ): Promise<Answer> {
    const record = this.#record(ask, options);
    try {
      const answer = await run({
        ...options,
        observer: record,
        onAttempt: (event) => {
          record.attempt(event);
          options.onAttempt?.(event);
        },
      });
      const requestId = 'requestId' in answer && typeof answer.requestId === 'string' ? answer.requestId : undefined;
      record.answered(bodyOf(answer), requestId);
      return answer;
    } catch (error) {
      if (options.signal?.aborted === true) record.stopped();
      else record.failed(error);
      throw error;
    }
  }

  #record(ask: Omit<RecordedAsk, 'origin'>, options: CallOptions): CallRecord {
    return new CallRecord({ ...ask, origin: this.#origin }, this.#recorder, options.observer);
  }
}

/**
 * A reply on its way through, listened to. What the service's own stream promises is handed on as it is:
 * a stream around it would cost every token a turn.
 */
class RecordedStream<Options extends CallOptions> implements AsyncIterator<ChatEvent> {
  readonly #record: CallRecord;
  readonly #signal: AbortSignal | undefined;
  readonly #events: AsyncIterator<ChatEvent>;

  constructor(record: CallRecord, options: Options, start: (options: Options) => AsyncIterable<ChatEvent>) {
    this.#record = record;
    this.#signal = options.signal;
    this.#events = start({ ...options, observer: record })[Symbol.asyncIterator]();
  }

  next(): Promise<IteratorResult<ChatEvent>> {
    const step = this.#events.next();
    step.then(this.#took, this.#failed);
    return step;
  }

  async return(): Promise<IteratorResult<ChatEvent>> {
    this.#record.left();
    await this.#events.return?.();
    return { done: true, value: undefined };
  }

  readonly #took = (step: IteratorResult<ChatEvent>): void => {
    if (step.done === true) this.#record.finished();
    else this.#record.event(step.value);
  };

  readonly #failed = (error: unknown): void => {
    if (this.#signal?.aborted === true) this.#record.stopped();
    else this.#record.failed(error);
  };
}
