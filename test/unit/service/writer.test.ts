import assert from 'node:assert/strict';
import { marked } from 'marked';
import { type ChatRequest, parseChatRequest } from '../../service/chatRequest.ts';
import { writerText } from '../../service/models/writing/writerText.ts';
import { topics } from '../../service/models/writing/topics.ts';
import { countTokens } from '../../service/tokenizer.ts';

function ask(content: string, options: object = {}): ChatRequest {
  return parseChatRequest({ model: 'local/writer', messages: [{ role: 'user', content }], ...options });
}

function write(content: string, options: object = {}): string {
  return [...writerText(ask(content, options))].join('');
}

/** How the answers to twenty versions of one question begin. */
function openingsAt(temperature: number): Set<string | undefined> {
  const questions = Array.from({ length: 20 }, (_, index) => `debounce ${'please '.repeat(index)}`);
  return new Set(questions.map((question) => write(question, { temperature }).split('\n', 1).at(0)));
}

describe('The writer', () => {
  it('writes the same for the same request, and something else for another', () => {
    assert.equal(write('How do I debounce?'), write('How do I debounce?'));
    assert.notEqual(write('How do I debounce?'), write('How do I debounce it?'));
  });

  it('writes exactly the number of tokens that the question names first', () => {
    for (const [question, tokens] of [
      ['write 1 token', 1],
      ['write 777 tokens, not 5', 777],
      ['write 12,345 tokens', 12_345],
      ['write 0 tokens', 0],
    ] as const) {
      assert.equal(countTokens(write(question)), tokens);
    }
  });

  it('takes no number of the code that it is asked about for a count', () => {
    assert.ok(countTokens(write('Why?\n```ts\nlet index = 0;\n```')) > 100);
    assert.equal(countTokens(write('Why, in 40 tokens?\n```ts\nlet index = 0;\n```')), 40);
  });

  it('writes whole blocks of about 400 tokens when no number is named', () => {
    for (const { keywords } of topics) {
      const text = write(`Tell me about ${keywords[0]}`);
      const tokens = countTokens(text);
      assert.ok(tokens >= 395 && tokens <= 700, `${tokens} tokens`);
      assert.equal(text, text.trimEnd());
      assert.equal((text.match(/^```/gm)?.length ?? 0) % 2, 0, 'every fence is closed');
      assert.doesNotMatch(text, /^#[^\n]*$(?![\s\S])/m, 'no heading comes last');
    }
  });

  it('answers on the topic that is asked for: a paragraph, then code, then a list', () => {
    for (const { keywords, openings } of topics) {
      const text = write(`Tell me about ${keywords.slice(0, 3).join(' and ')}`);
      assert.ok(openings.some((opening) => text.startsWith(opening)));
      const kinds = marked
        .lexer(text)
        .map(({ type }) => type)
        .filter((type) => type !== 'space');
      assert.deepEqual(kinds.slice(0, 4), ['paragraph', 'paragraph', 'code', 'list']);
    }
  });

  it('has all kinds of Markdown in a long answer', () => {
    const text = write('write 12000 tokens');
    const kinds = new Set<string>();
    const languages = new Set<unknown>();
    void marked.walkTokens(marked.lexer(text), (token) => {
      kinds.add(token.type);
      if (token.type === 'code') languages.add(token['lang']);
      if (token.type === 'list_item' && token['task'] === true) kinds.add('task');
    });
    const expected = 'paragraph heading list table code blockquote link codespan strong em task';
    for (const kind of expected.split(' ')) {
      assert.ok(kinds.has(kind), kind);
    }
    assert.ok(languages.size >= 8, [...languages].join(', '));
    assert.match(text, /^ {3}- /m, 'lists are nested');
  });

  it('always chooses the best at temperature 0, and more freely above', () => {
    assert.equal(openingsAt(0).size, 1);
    assert.equal(openingsAt(2).size, 3);
  });

  it('keeps to the likeliest with a small top_p', () => {
    const likeliest = write('debounce', { temperature: 0 });
    assert.equal(write('debounce', { temperature: 2, top_p: 0.01 }), likeliest);
  });
});
