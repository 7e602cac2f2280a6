import { ServiceError } from '../service/serviceError.ts';
import type { ModelDefinition, Price } from '../service/models/modelDefinition.ts';
import { mediaModels } from '../service/models/mediaModels.ts';
import { lastUserMessage } from '../service/models/writing/writerText.ts';
import { writingModel } from '../service/models/writingModel.ts';
import { replyOf } from './exampleReplies.ts';

interface Example {
  readonly id: string;
  readonly tokensPerSecond: number;
  readonly firstTokenDelayMs: number;
  /** Tokens. */
  readonly contextWindow: number;
  readonly price: Price;
}

const perMillion = (input: number, output: number): Price => ({
  perPromptToken: input / 1e6,
  perCompletionToken: output / 1e6,
  perRequest: 0,
});

/** The chat models of a made-up service, with realistic names and prices. */
export const examples: readonly Example[] = [
  {
    id: 'kestrel/sparrow',
    tokensPerSecond: 118,
    firstTokenDelayMs: 180,
    contextWindow: 128_000,
    price: perMillion(0.1, 0.4),
  },
  {
    id: 'northwind/gale-32b-instruct',
    tokensPerSecond: 84,
    firstTokenDelayMs: 320,
    contextWindow: 1_000_000,
    price: perMillion(0.2, 0.8),
  },
  {
    id: 'harbor/quill-70b',
    tokensPerSecond: 51,
    firstTokenDelayMs: 610,
    contextWindow: 256_000,
    price: perMillion(0.6, 2.4),
  },
  {
    id: 'lumen/wick-8b',
    tokensPerSecond: 160,
    firstTokenDelayMs: 140,
    contextWindow: 32_000,
    price: perMillion(0.05, 0.2),
  },
  {
    id: 'harbor/quill-vision-11b',
    tokensPerSecond: 70,
    firstTokenDelayMs: 410,
    contextWindow: 128_000,
    price: perMillion(0.15, 0.6),
  },
  {
    id: 'tern/scribe-pro',
    tokensPerSecond: 38,
    firstTokenDelayMs: 900,
    contextWindow: 256_000,
    price: perMillion(1.5, 6),
  },
];

const mediaNames: Readonly<Record<string, string>> = {
  'local/video': 'lumen/reel-2',
  'local/image': 'lumen/canvas-1',
  'local/transcriber': 'tern/listen-1',
};

/** Rejects every question: its price is more than the account has. */
export const withoutCredits = 'tern/scribe-pro';

/** The service in the images. Each chat model has its own replies. */
export function exampleModels(): readonly ModelDefinition[] {
  const chat = examples.map(({ id, tokensPerSecond, firstTokenDelayMs, contextWindow, price }) =>
    writingModel(id, '', {
      reply: function* (request) {
        yield { part: 'text', text: replyOf(id, lastUserMessage(request)) };
      },
      pace: { tokensPerSecond, firstTokenDelayMs },
      // The most expensive one shows what an account without credits looks like.
      ...(id === withoutCredits && {
        gate: () => {
          throw new ServiceError(402, 'Your balance is 0.00. Add credits to continue.');
        },
      }),
      sees: id.includes('vision'),
      contextWindow,
      maxOutputTokens: 32_000,
      price,
    }),
  );
  const media = mediaModels().flatMap((model) => {
    const id = mediaNames[model.id];
    return id === undefined ? [] : [{ ...model, id, description: '' }];
  });
  return [...chat, ...media];
}
