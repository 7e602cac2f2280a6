import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import { Comparison } from '../../../../src/core/compare/comparison.ts';
import { continuedConversation } from '../../../../src/core/compare/continuedConversation.ts';

describe('A column that continues as a chat', () => {
  it("has the earlier messages, its own model's replies, and its figures", () => {
    const columns = [
      { id: 'c1', model: 'local/echo' },
      { id: 'c2', model: 'local/fast' },
    ];
    const before = [{ role: 'user', content: 'Hi' } as const, { role: 'assistant', content: 'Hello' } as const];
    const comparison = new Comparison('k', columns, before);
    comparison.setTurn({
      id: 't1',
      at: 10,
      text: 'Name a bird',
      attachments: [],
      content: 'File: birds.md\n\nName a bird',
      order: 'allAtOnce',
      columns: ['c1', 'c2'],
      isBlind: false,
    });
    const reply = {
      id: 'r1',
      turnId: 't1',
      columnId: 'c1',
      model: 'local/echo',
      at: 11,
      reasoning: 'Hm',
      state: 'done',
    } as const;
    const sample = { sentAt: 11, firstMs: 5, lastMs: 25, totalMs: 30, gapsMs: [20], replyTokens: 5 };
    comparison.setReply({ ...reply, text: 'Kestrel', end: { outcome: 'done', wasSent: true, sample } });
    comparison.setReply({ ...reply, id: 'r2', columnId: 'c2', text: 'Sparrow' });
    let id = 0;
    const { records, attachments } = continuedConversation(
      comparison,
      'c1',
      {},
      {
        writer: 'w',
        pid: 1,
        newId: () => `id${(id += 1)}`,
      },
    );
    assert.deepEqual(attachments, []);
    const conversation = new Conversation('k2');
    for (const record of records) conversation.apply(record);
    assert.deepEqual(
      conversation.messages().map(({ role, text }) => `${role}: ${text}`),
      ['user: Hi', 'assistant: Hello', 'user: File: birds.md\n\nName a bird', 'assistant: Kestrel'],
    );
    const last = conversation.messages().at(-1);
    assert.ok(last?.role === 'assistant');
    assert.deepEqual([last.model, last.reasoning, last.end?.outcome], ['local/echo', 'Hm', 'done']);
    assert.equal(last.end?.metrics.totalSeconds?.value, 0.03);
    assert.equal(conversation.options.model, 'local/echo');
  });

  it('keeps the files and images of its questions, and those from a message', () => {
    const columns = [{ id: 'c1', model: 'local/echo', options: { temperature: 0.5 } }];
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAC0lEQVQI12NgQAYAAA4AAZZwJ7cAAAAASUVORK5CYII=';
    const url = `data:image/png;base64,${png}`;
    const before = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url } },
          { type: 'image_url', image_url: { url: 'https://elsewhere.example/x.png' } },
        ],
      } as const,
      { role: 'assistant', content: 'A square' } as const,
    ];
    const comparison = new Comparison('k', columns, before);
    const file = { kind: 'file', id: 'f1', name: 'birds.md', detail: 'birds.md', tokens: 3, at: 1 } as const;
    const turn = { id: 't1', at: 10, order: 'allAtOnce', columns: ['c1'], isBlind: false } as const;
    comparison.setTurn({ ...turn, text: 'And this?', attachments: [file], content: 'File: birds.md\n\nAnd this?' });
    const reply = { id: 'r1', turnId: 't1', columnId: 'c1', model: 'local/echo', at: 11, reasoning: '' } as const;
    comparison.setReply({ ...reply, text: 'A list', state: 'done' });
    let id = 0;
    const by = { writer: 'w', pid: 1, newId: () => `0ec18c63-7e4b-4b6e-9a64-${String((id += 1)).padStart(12, '0')}` };
    const { records, attachments, pictures } = continuedConversation(comparison, 'c1', {}, by);
    const conversation = new Conversation('k2');
    for (const record of records) conversation.apply(record);
    const questions = conversation.messages().filter(({ role }) => role === 'user');
    assert.deepEqual(
      questions.map((each) => [each.text, each.role === 'user' && each.attachments?.map(({ kind }) => kind)]),
      [
        ['What is this?', ['picture']],
        ['And this?', ['file']],
      ],
    );
    const [picture] = attachments;
    assert.ok(picture?.kind === 'picture');
    assert.deepEqual([picture.width, picture.height, picture.mediaType], [2, 3, 'image/png']);
    assert.deepEqual([...pictures], [[picture.id, url]]);
    assert.deepEqual(conversation.options, { model: 'local/echo', temperature: 0.5 });
  });

  it('keeps the parameters of the comparison, and the messages that were sent to a model added later', () => {
    const columns = [
      { id: 'c1', model: 'local/echo' },
      { id: 'c2', model: 'local/fast' },
      { id: 'c3', model: 'local/late', options: { temperature: 0.9 } },
    ];
    const comparison = new Comparison('k', columns);
    const turn = { at: 10, attachments: [], order: 'allAtOnce', isBlind: false } as const;
    comparison.setTurn({ ...turn, id: 't1', text: 'Name a bird', content: 'Name a bird', columns: ['c1', 'c2'] });
    comparison.setTurn({ ...turn, id: 't2', text: 'Another', content: 'Another', columns: ['c1', 'c2', 'c3'] });
    const reply = (turnId: string, columnId: string, text: string) =>
      comparison.setReply({ id: text, turnId, columnId, model: 'm', at: 11, text, reasoning: '', state: 'done' });
    // As they are after a reload: the second column's was stored first.
    reply('t1', 'c2', 'Sparrow');
    reply('t1', 'c1', 'Kestrel');
    reply('t2', 'c3', 'Robin');
    const shared = { systemPrompt: 'Be short.', temperature: 0.2 };
    const by = { writer: 'w', pid: 1, newId: () => crypto.randomUUID() };
    const conversation = new Conversation('k2');
    for (const record of continuedConversation(comparison, 'c3', shared, by).records) conversation.apply(record);
    assert.deepEqual(
      conversation.messages().map(({ text }) => text),
      ['Name a bird', 'Kestrel', 'Another', 'Robin'],
    );
    assert.deepEqual(conversation.options, { systemPrompt: 'Be short.', temperature: 0.9, model: 'local/late' });
  });
});
