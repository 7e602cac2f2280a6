import assert from 'node:assert/strict';
import type { Message, Reply, ReplyEnd, UserMessage } from '../../../../src/core/chat/conversation.ts';
import { sentAmount } from '../../../../src/core/chat/sentAmount.ts';
import { samples } from '../requests/countedTexts.ts';

const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

function question(text: string, attachments?: UserMessage['attachments']): UserMessage {
  return { role: 'user', id: 'u', at: 1, text, ...(attachments !== undefined && { attachments }) };
}

interface Replied {
  readonly counted: number;
  readonly leastTokens?: number;
  readonly model?: string;
  readonly answeredBy?: string;
  readonly sentAtLeast?: number;
}

function reply(text: string, { counted, model = 'm', ...rest }: Replied): Reply {
  const metrics = { promptTokens: { value: counted, from: 'service' } } as const;
  const end: ReplyEnd = { outcome: 'done', at: 1, metrics, ...rest };
  return { role: 'assistant', id: 'r', at: 1, model, writer: 'w', pid: 1, text, reasoning: '', end };
}

/** What the service dropped of these messages if this is its count. */
function droppedOf(messages: readonly Message[], counted: number | undefined, more: object = {}): number | undefined {
  const {
    systemPrompt,
    answeredBy,
    contents = new Map(),
  } = more as {
    systemPrompt?: string;
    answeredBy?: string;
    contents?: ReadonlyMap<string, string>;
  };
  return sentAmount({ model: 'm', systemPrompt, sent: messages, contents }, { answeredBy, counted }).sentAtLeast;
}

/** Each turn is a question and a reply of so many words, and what the service counted before it. */
function conversation(turns: readonly (readonly [question: number, counted: number, reply: number])[]): Message[] {
  const messages: Message[] = [];
  for (const [asked, counted, replied] of turns) {
    messages.push(question(words(asked)));
    const amount = sentAmount({ model: 'm', sent: messages, contents: new Map() }, { counted });
    messages.push(reply(words(replied), { counted, ...amount }));
  }
  return messages;
}

describe('The amount that was sent for a reply', () => {
  it('shows that Ollama cut a long question to half of its window', () => {
    // 4,096 tokens: Ollama keeps 2,050.
    assert.equal(droppedOf([question(words(5000))], 2050), 4000);
    assert.equal(droppedOf([question(words(5000))], 5008), undefined);
  });

  it('shows nothing if the service counts nothing, or only what is not in its cache of the same request', () => {
    for (const counted of [undefined, 0, 1, 200]) assert.equal(droppedOf([question(words(5000))], counted), undefined);
  });

  for (const { name, text, fewest } of samples) {
    it(`shows nothing with any tokenizer if all was read: ${name}`, () => {
      assert.equal(droppedOf([question(text.repeat(4))], fewest * 4), undefined);
    });
  }

  it('includes the system prompt and the text of attachments, and no images', () => {
    const facts = { name: 'a', detail: 'a', tokens: 1, at: 1 };
    const file = { kind: 'file', id: 'f', ...facts } as const;
    const picture = {
      kind: 'picture',
      id: 'p',
      mediaType: 'image/png',
      width: 1,
      height: 1,
      bytes: 1,
      ...facts,
    } as const;
    const contents = new Map([
      ['f', words(3000)],
      ['p', `data:image/png;base64,${words(9000)}`],
    ]);
    const asked = [question('Why?', [file, picture])];
    assert.equal(droppedOf(asked, 1000, { contents, systemPrompt: words(1000) }), Math.floor(4002 / 1.25));
    assert.equal(droppedOf(asked, 3000, { contents, systemPrompt: words(1000) }), undefined);
  });

  it('follows from an earlier count, which shows that fewer messages were dropped', () => {
    const before = conversation([
      [1500, 1500, 600],
      [800, 2900, 600],
    ]);
    // The text alone: 4,000 words are at least 3,200 tokens. With 2,900 and 1,100 words since then: 3,780.
    const all = [...before, question(words(500))];
    assert.equal(droppedOf(all, 3100), 3780);
    assert.equal(droppedOf(all, 3200), undefined);
    assert.equal(droppedOf(all, 4000), undefined);
  });

  it('follows from the counts of the same model only', () => {
    const since = [question(words(500))];
    const first = question(words(1500));
    const amount = { counted: 4000, leastTokens: 1200 };
    assert.equal(droppedOf([first, reply('Yes', amount), ...since], 2000), 4000 + Math.floor(501 / 1.25));
    assert.equal(droppedOf([first, reply('Yes', { ...amount, model: 'other' }), ...since], 2000), undefined);
    const routed = [first, reply('Yes', { ...amount, answeredBy: 'a' }), ...since];
    assert.equal(droppedOf(routed, 2000, { answeredBy: 'b' }), undefined);
    assert.equal(droppedOf(routed, 2000, { answeredBy: 'a' }), 4000 + Math.floor(501 / 1.25));
  });

  it('follows from no count of more than is sent now, because of a line or a shorter system prompt', () => {
    const messages = [question(words(1500)), reply('Yes', { counted: 4000, leastTokens: 3000 }), question('And now?')];
    assert.equal(droppedOf(messages, 2000), undefined);
  });

  it('follows from no count of a request that was cut itself', () => {
    const cut = { counted: 2050, leastTokens: 4000, sentAtLeast: 4000 };
    const messages = [question(words(5000)), reply(words(10), cut), question(words(10))];
    assert.equal(droppedOf(messages, 2070), Math.floor(5020 / 1.25));
  });

  it('does not show that text was dropped if the service only counts what is not in its cache', () => {
    const turns: [number, number, number][] = [
      [3000, 3000, 300],
      [20, 330, 300],
      [20, 330, 300],
    ];
    const all = [...conversation(turns), question(words(20))];
    assert.equal(droppedOf(all, 330), undefined);
    // The same counts, but growing: the first question was dropped.
    const growing = conversation([
      [3000, 3000, 300],
      [20, 330, 300],
      [20, 650, 300],
    ]);
    assert.equal(droppedOf([...growing, question(words(20))], 970) !== undefined, true);
  });
});
