import assert from 'node:assert/strict';
import type { ModelInfo } from '../../../../src/api/wire/decodeModels.ts';
import type { Message } from '../../../../src/core/chat/conversation.ts';
import { measureConversation, type KnownModels } from '../../../../src/core/chat/measureConversation.ts';

const models: readonly ModelInfo[] = [
  { id: 'small', contextWindow: 1000, inputPricePerMillion: 1, outputPricePerMillion: 2, raw: {} },
  { id: 'a bit larger', contextWindow: 1400, raw: {} },
  { id: 'dear', contextWindow: 9000, inputPricePerMillion: 5, outputPricePerMillion: 5, raw: {} },
  { id: 'free of a price', contextWindow: 2000, raw: {} },
  { id: 'cheap', contextWindow: 4000, inputPricePerMillion: 2, outputPricePerMillion: 5, raw: {} },
  { id: 'painter', contextWindow: 4000, kind: 'image', raw: {} },
];
const known: KnownModels = {
  models,
  find: (id) => models.find((model) => model.id === id),
  contextWindowOf: (id) => models.find((model) => model.id === id)?.contextWindow,
};

function reply(id: string, model: string, from: 'service' | 'estimate' = 'service'): Message {
  const metrics = { promptTokens: { value: 1_000_000, from }, completionTokens: { value: 500_000, from } };
  const end = { outcome: 'done', at: 2, metrics } as const;
  return { role: 'assistant', id, at: 1, model, writer: 'w', pid: 1, text: 'x', reasoning: '', end };
}

function conversationOf(messages: readonly Message[], every = messages, line?: string) {
  return {
    messages: () => messages,
    everyMessage: () => every,
    sentFrom: line === undefined ? undefined : { id: line, at: 9 },
  };
}

const question = (id: string): Message => ({ role: 'user', id, at: 1, text: 'x' });

describe('The length of a conversation', () => {
  it('suggests the two cheapest chat models with clearly more room', () => {
    const { larger, inputPerMillion } = measureConversation(conversationOf([]), 'small', known);
    assert.deepEqual(larger, [
      { id: 'cheap', contextWindow: 4000 },
      { id: 'dear', contextWindow: 9000 },
    ]);
    assert.equal(inputPerMillion, 1);
    assert.deepEqual(measureConversation(conversationOf([]), 'nobody knows it', known).larger, []);
  });

  it('offers half as much room again, and nothing less', () => {
    const others = [1499, 1500].map((contextWindow) => ({ id: String(contextWindow), contextWindow, raw: {} }));
    const few: KnownModels = { ...known, models: others };
    const { larger } = measureConversation(conversationOf([]), 'small', few);
    assert.deepEqual(larger, [{ id: '1500', contextWindow: 1500 }]);
  });

  it('includes the cost of all replies, including other versions', () => {
    const shown = [question('u1'), reply('r2', 'small')];
    const every = [...shown, reply('r1', 'dear')];
    const { spent } = measureConversation(conversationOf(shown, every), 'small', known);
    assert.deepEqual(spent, { cost: 2 + 7.5, isEstimate: false, isPartial: false });
  });

  it('says if that is an estimate, or incomplete', () => {
    const every = [reply('r1', 'small', 'estimate'), reply('r2', 'a bit larger')];
    assert.deepEqual(measureConversation(conversationOf(every), 'small', known).spent, {
      cost: 2,
      isEstimate: true,
      isPartial: true,
    });
    assert.equal(measureConversation(conversationOf([reply('r2', 'painter')]), 'small', known).spent, undefined);
  });

  it('counts what is left out', () => {
    const messages = [question('u1'), reply('r1', 'small'), question('u2')];
    const { leftOut, sentFrom } = measureConversation(conversationOf(messages, messages, 'u2'), 'small', known);
    assert.deepEqual([leftOut, sentFrom], [2, 'u2']);
    assert.equal('sentFrom' in measureConversation(conversationOf(messages), 'small', known), false);
  });
});
