import assert from 'node:assert/strict';
import type { ModelInfo } from '../../../../src/api/wire/decodeModels.ts';
import { Conversation, type Message, type Reply } from '../../../../src/core/chat/conversation.ts';
import { measureConversation, type KnownModels, waysOut } from '../../../../src/core/chat/measureConversation.ts';

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

function reply(id: string, model: string, from: 'service' | 'estimate' = 'service'): Reply {
  const metrics = { promptTokens: { value: 1_000_000, from }, completionTokens: { value: 500_000, from } };
  const end = { outcome: 'done', at: 2, metrics } as const;
  return { role: 'assistant', id, at: 1, model, writer: 'w', pid: 1, text: 'x', reasoning: '', end };
}

function conversationOf(messages: readonly Message[], every?: readonly Reply[], line?: string) {
  return {
    messages: () => messages,
    everyEnd: () =>
      (every ?? messages.filter((message) => message.role === 'assistant')).flatMap(({ model, end }) =>
        end === undefined ? [] : [{ model, ...end }],
      ),
    sentFrom: line === undefined ? undefined : { id: line },
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

  it('suggests models of the same service first, with the windows that count', () => {
    const others: readonly ModelInfo[] = [
      { id: 'other::cheap', contextWindow: 4000, inputPricePerMillion: 1, raw: {} },
      { id: 'one::dear', contextWindow: 9000, inputPricePerMillion: 5, raw: {} },
      { id: 'one::refused at 500', contextWindow: 9000, inputPricePerMillion: 1, raw: {} },
      { id: 'one::learned', raw: {} },
    ];
    const windows: Readonly<Record<string, number>> = {
      'one::small': 1000,
      'one::refused at 500': 500,
      'one::learned': 3000,
    };
    const several: KnownModels = {
      ...known,
      models: others,
      contextWindowOf: (id) => windows[id] ?? others.find((model) => model.id === id)?.contextWindow,
    };
    assert.deepEqual(measureConversation(conversationOf([]), 'one::small', several).larger, [
      { id: 'one::dear', contextWindow: 9000 },
      { id: 'one::learned', contextWindow: 3000 },
    ]);
  });

  it('offers half as much room again, and nothing less', () => {
    const others = [1499, 1500].map((contextWindow) => ({ id: String(contextWindow), contextWindow, raw: {} }));
    const contextWindowOf = (id: string) => (id === 'small' ? 1000 : Number(id));
    const few: KnownModels = { ...known, models: others, contextWindowOf };
    const { larger } = measureConversation(conversationOf([]), 'small', few);
    assert.deepEqual(larger, [{ id: '1500', contextWindow: 1500 }]);
  });

  it('offers what can be done about what was sent, without what a line already leaves out', () => {
    const failed = { ...reply('r2', 'small'), text: '' };
    const messages = [question('u1'), reply('r1', 'small'), question('u2'), failed];
    const larger = [
      { id: 'cheap', contextWindow: 4000 },
      { id: 'dear', contextWindow: 9000 },
    ];
    const ways = (line?: string) => waysOut(conversationOf(messages, undefined, line), 'small', known);
    assert.deepEqual(ways(), { larger, canSummarize: true, canLeaveOut: true, hasLeftOut: false });
    assert.deepEqual(ways('u2'), { larger, canSummarize: false, canLeaveOut: false, hasLeftOut: true });
  });

  it('includes the cost of all replies, including other versions', () => {
    const shown = reply('r2', 'small');
    const every = [shown, reply('r1', 'dear')];
    const { spent } = measureConversation(conversationOf([question('u1'), shown], every), 'small', known);
    assert.deepEqual(spent, { cost: 2 + 7.5, isEstimate: false, isPartial: false });
  });

  it('still includes the cost of deleted replies', () => {
    const conversation = new Conversation('c1');
    const { end } = reply('r1', 'small');
    assert.ok(end !== undefined);
    const written = { writer: 'w', at: 1 };
    conversation.apply({ type: 'asked', id: 'u1', text: 'x', ...written });
    conversation.apply({ type: 'replyStarted', id: 'r1', model: 'small', pid: 1, ...written });
    conversation.apply({ type: 'replyEnded', id: 'r1', outcome: 'done', metrics: end.metrics, ...written });
    conversation.apply({ type: 'removed', ids: ['u1', 'r1'], ...written });
    assert.equal(measureConversation(conversation, 'small', known).spent?.cost, 2);
  });

  it('includes a failed reply only if the service counted its tokens', () => {
    const counted = reply('r1', 'small');
    const failures = [
      { ...counted, end: { ...counted.end, outcome: 'failed', at: 2, metrics: counted.end?.metrics ?? {} } },
      { ...counted, id: 'r2', end: { outcome: 'failed', at: 2, metrics: {} } },
    ] as const;
    const { spent } = measureConversation(conversationOf([], failures), 'small', known);
    assert.deepEqual(spent, { cost: 2, isEstimate: false, isPartial: false });
  });

  it('says if that is an estimate, or incomplete', () => {
    const every = [reply('r1', 'small', 'estimate'), reply('r2', 'a bit larger')];
    assert.deepEqual(measureConversation(conversationOf([], every), 'small', known).spent, {
      cost: 2,
      isEstimate: true,
      isPartial: true,
    });
    assert.equal(measureConversation(conversationOf([reply('r2', 'painter')]), 'small', known).spent, undefined);
  });

  it('counts what is left out', () => {
    const messages = [question('u1'), reply('r1', 'small'), question('u2')];
    const { leftOut, sentFrom } = measureConversation(conversationOf(messages, undefined, 'u2'), 'small', known);
    assert.deepEqual([leftOut, sentFrom], [2, 'u2']);
    assert.equal('sentFrom' in measureConversation(conversationOf(messages), 'small', known), false);
  });
});
