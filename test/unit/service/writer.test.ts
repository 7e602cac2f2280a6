import assert from 'node:assert/strict';
import { marked } from 'marked';
import { parseChatRequest } from '../../service/chatRequest.ts';
import { writerText } from '../../service/models/writing/writerText.ts';
import { countTokens } from '../../service/tokenizer.ts';

function write(content: string): string {
  const body = { model: 'local/writer', messages: [{ role: 'user', content }] };
  return [...writerText(parseChatRequest(body))].join('');
}

describe('The writer', () => {
  it('writes the same for the same request, and something else for another', () => {
    assert.equal(write('Why does it skip tasks?'), write('Why does it skip tasks?'));
    assert.notEqual(write('Why does it skip tasks?'), write('Why does it still skip tasks?'));
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

  it("doesn't mistake a number in the code for a count", () => {
    assert.ok(countTokens(write('Why?\n```ts\nlet index = 0;\n```')) > 100);
    assert.equal(countTokens(write('Why, in 40 tokens?\n```ts\nlet index = 0;\n```')), 40);
  });

  it('ends with a full sentence if no number is named, and first says that it knows nothing else', () => {
    for (const [question, start] of [
      ['Why does this loop skip items?', /^(?!I’m)/],
      ['What’s the weather like?', /^I’m the demo’s writing model/],
    ] as const) {
      const text = write(question);
      assert.match(text, start);
      assert.match(text, /\.$/);
      assert.ok(countTokens(text) > 350 && countTokens(text) < 600);
    }
  });

  it('corrects the loop if code alone is asked for, and leaves other code as it is', () => {
    const asked =
      'Fix this code. Answer with the whole code in one code block and nothing else.\n\nSome context:\n```ts\nx\n```';
    const loop =
      'for (let index = 0; index < tasks.length; index++) {\n    if (tasks[index]?.done) tasks.splice(index, 1);\n  }';
    assert.equal(
      write(`${asked}\n\n\`\`\`ts\nfunction removeDone() {\n  ${loop}\n  return tasks;\n}\n\`\`\``),
      '```ts\nfunction removeDone() {\n  return tasks.filter((task) => !task.done);\n}\n```',
    );
    assert.equal(write(`${asked}\n\n\`\`\`\`py\nprint("\`\`\`", 1)\n\`\`\`\``), '````py\nprint("```", 1)\n````');
  });

  it('has all kinds of Markdown in a long reply', () => {
    const kinds = new Set<string>();
    void marked.walkTokens(marked.lexer(write('write 12000 tokens')), (token) => {
      kinds.add(token.type === 'list_item' && token['task'] === true ? 'task' : token.type);
    });
    for (const kind of 'paragraph heading list table code blockquote link codespan strong em task'.split(' ')) {
      assert.ok(kinds.has(kind), kind);
    }
  });
});
