import assert from 'node:assert/strict';
import { contextBlock } from '../../../../src/core/chat/contextBlock.ts';
import { comparedText, receivedParts, sentTurns } from '../../../../src/core/requests/sentTurns.ts';

const sent = (body: unknown) => sentTurns({ method: 'POST', url: 'https://service.test/v1/chat/completions', body });
const turn = (role: string, words: string, pictures = 0) => ({ role, words, pieces: [], pictures });

describe('The parts of a request', () => {
  it('are the last question with its attachments, the messages before it, and the options', () => {
    const block = contextBlock({ heading: 'File: a.ts', language: 'ts', text: 'let a;\n' });
    const body = {
      model: 'a/b',
      temperature: 0.2,
      max_tokens: 10,
      stop: ['a', 'b'],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: `${block}\n\nWhy?` },
      ],
    };
    assert.deepEqual(sent(body), {
      system: turn('system', 'Be brief.'),
      earlier: [turn('user', 'Hi'), turn('assistant', 'Hello')],
      question: { role: 'user', words: 'Why?', pieces: [{ heading: 'File: a.ts', text: 'let a;\n' }], pictures: 0 },
      parameters: [
        { name: 'temperature', value: '0.2' },
        { name: 'max tokens', value: '10' },
        { name: 'stop', value: '["a","b"]' },
      ],
    });
  });

  it("counts images, and doesn't mistake a tool result for a question", () => {
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,[9 characters, not kept]' } },
    ];
    const { question, earlier } = sent({
      messages: [
        { role: 'user', content },
        { role: 'tool', content: '{}' },
      ],
    });
    assert.deepEqual(question, turn('user', 'What is this?', 1));
    assert.deepEqual(earlier, [turn('tool', '{}')]);
  });

  it('are the prompt of an image or a video', () => {
    assert.deepEqual(sent({ model: 'a/b', positive_prompt: 'a hill', steps: 20 }), {
      earlier: [],
      question: turn('user', 'a hill'),
      parameters: [{ name: 'steps', value: '20' }],
    });
  });

  it("are empty if it can't be understood", () => {
    const nothing = { earlier: [], parameters: [] };
    assert.deepEqual(sentTurns(undefined), nothing);
    for (const body of [null, 'text', [], { messages: 'none' }, { messages: {} }]) {
      assert.deepEqual(sent(body), nothing, JSON.stringify(body));
    }
    assert.deepEqual(sent({ messages: [null] }).question, turn('user', ''));
  });
});

describe('The parts of a response', () => {
  it('are text, reasoning, and tool calls', () => {
    const message = {
      content: 'It is late.',
      reasoning_content: 'Ask for the time.',
      tool_calls: [{ id: '1', type: 'function', function: { name: 'get_time', arguments: '{"zone":"UTC"}' } }],
    };
    assert.deepEqual(receivedParts({ choices: [{ message }] }), {
      text: 'It is late.',
      reasoning: 'Ask for the time.',
      calls: [{ name: 'get_time', value: '{"zone":"UTC"}' }],
    });
    assert.equal(comparedText(receivedParts({ choices: [{ message }] })), 'It is late.\n\nget_time\n{"zone":"UTC"}');
  });

  it('are a transcript, or nothing', () => {
    assert.equal(receivedParts({ text: 'Spoken words' }).text, 'Spoken words');
    for (const response of [
      undefined,
      {},
      { choices: 'x' },
      { choices: [null] },
      { choices: [{ message: { content: [] } }] },
    ]) {
      assert.deepEqual(receivedParts(response), { text: '', reasoning: '', calls: [] }, JSON.stringify(response));
    }
  });
});
