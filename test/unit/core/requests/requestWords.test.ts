import assert from 'node:assert/strict';
import { contextBlock } from '../../../../src/core/chat/contextBlock.ts';
import { askedWords } from '../../../../src/core/requests/askedWords.ts';
import { requestColumns, requestRow } from '../../../../src/core/requests/requestExport.ts';
import { csvOf } from '../../../../src/words/csv.ts';
import type { Figure, ReplyMetrics } from '../../../../src/shared/chat.ts';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';
import type { LoggedRequest } from '../../../../src/core/requests/requestLog.ts';
import { decodeRequestRecord } from '../../../../src/core/requests/requestRecord.ts';
import {
  failureTitle,
  originWord,
  requestFacts,
  requestLines,
  requestName,
  requestTitle,
  rowFacts,
  rowTitle,
  shortTitle,
} from '../../../../src/core/requests/requestWords.ts';

const request: LoggedRequest = {
  id: 'r1',
  at: 0,
  writer: 'w1',
  pid: 1,
  operation: 'chat',
  origin: { kind: 'chat' },
  model: 'a/b',
  end: {
    at: 3400,
    outcome: 'done',
    metrics: {
      timeToFirstTokenSeconds: { value: 0.31, from: 'service' },
      tokensPerSecond: { value: 84.2, from: 'here' },
      totalSeconds: { value: 3.4, from: 'service' },
      promptTokens: { value: 412, from: 'service' },
      completionTokens: { value: 261, from: 'estimate' },
    },
    requestId: 'req_8f2c1a',
    status: 200,
    cost: 0.0012,
  },
};

describe('The words about a request', () => {
  it('are its figures if everything went well', () => {
    assert.equal(
      requestFacts(request, 'done'),
      '84° tok/s · 0.31 s first token · 3.4 s total · 412 → ≈ 261 tokens · cost ≈ 0.0012',
    );
  });

  it("start with the prompt, with the question, or with the model if content isn't saved", () => {
    assert.equal(requestTitle(request), 'a/b');
    const asked = { ...request, asked: 'Why does removeDone skip tasks, and how do I fix it?' };
    assert.equal(requestTitle(asked), asked.asked);
    assert.equal(shortTitle(asked), 'Why does removeDone skip tasks, and how…');
    assert.equal(rowTitle(asked), 'Why does removeDone skip…');
    assert.equal(rowTitle({ ...request, asked: '🎉'.repeat(27) }), `${'🎉'.repeat(25)}…`);
    assert.equal(requestTitle({ ...asked, origin: { kind: 'prompt', prompt: 'Fix Code' } }), 'Fix Code');
    assert.equal(requestTitle({ operation: 'catalog', origin: { kind: 'models' } }), 'Model list');
  });

  it('start with the whole name of a model, whose end tells it from others', () => {
    const model = 'meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8';
    const ofModel = { ...request, model };
    assert.equal(rowTitle(ofModel), model);
    assert.equal(shortTitle(ofModel), model);
  });

  it('show a question without attachments, on one line', () => {
    const selection = contextBlock({ heading: 'Selection: a.ts, lines 1-2', language: 'ts', text: 'let a = `x`;\n' });
    const file = contextBlock({ heading: 'File: a.md', language: 'md', text: '```js\n1\n```\n\nNo question' });
    assert.equal(askedWords(`${selection}\n\n${file}\n\nWhat is\n  this?`), 'What is this?');
    assert.equal(askedWords(file), 'File: a.md');
    assert.equal(askedWords('My code:\n```\n1\n```\nWhy?'), 'My code: Why?');
    assert.equal(askedWords('```ts\n1\n```'), '```ts 1 ```');
    assert.equal(askedWords(' \n'), undefined);
    assert.equal(askedWords('x'.repeat(100_000))?.length, 200);
  });

  it('show a question without its Markdown, even one that was stored with its code', () => {
    const titleOf = (asked: string) => requestTitle({ ...request, asked });
    assert.equal(titleOf('Why is **`sort`** [slow](https://example.org)?'), 'Why is sort slow?');
    assert.equal(titleOf('## Compare `a` with `b`'), 'Compare a with b');
    assert.equal(titleOf('My code: ``` 1 ```'), 'My code: 1');
    assert.equal(shortTitle({ ...request, asked: '**Hello**' }), 'Hello');
    assert.equal(titleOf('**'), '**');
  });

  it('are shorter in a row', () => {
    assert.equal(rowFacts(request, 'done'), '84° tok/s · 0.31 s · 3.4 s · 412 → ≈ 261 · cost ≈ 0.0012');
  });

  it('start with the failure', () => {
    const { end, ...started } = request;
    assert.equal(requestFacts(started, 'running'), 'running');
    assert.equal(requestFacts(started, 'unknown'), 'outcome unknown');
    const failed = { ...started, end: { at: 1, outcome: 'failed', metrics: {}, status: 402 } } as const;
    assert.equal(requestFacts(failed, 'failed'), 'failed (402)');
    assert.match(requestFacts({ ...request, operation: 'video' }, 'stopped'), /^stopped · Video · /);
    assert.ok(end);
  });

  it('show the progress of a running request', () => {
    const { end: _end, ...started } = request;
    const here = (value: number) => ({ value, from: 'here' as const });
    const progress = {
      timeToFirstTokenSeconds: here(0.31),
      totalSeconds: here(3.44),
      completionTokens: { value: 120, from: 'estimate' as const },
    };
    assert.equal(rowFacts(started, 'running', progress), 'running · 0.31 s° · 3.4 s° · ≈ 120 tokens');
    assert.equal(rowFacts(started, 'running', { totalSeconds: here(65) }), 'running · 1 min 5 s°');
  });

  it('include the reason for a failure', () => {
    const failure = { kind: 'outOfCredits', status: 402, message: 'No credits left' } as const;
    const failed: LoggedRequest = { ...request, end: { at: 1, outcome: 'failed', metrics: {}, status: 402, failure } };
    assert.equal(failureTitle(failed), 'Out of credits');
    assert.equal(requestLines(failed, 'failed')[0], 'Chat: failed, Out of credits');
    assert.equal(failureTitle(request), undefined);
    const foreign = decodeRequestRecord(
      '{"type":"ended","id":"r","writer":"w","at":1,"outcome":"failed","metrics":{},"failure":{"kind":"outOfCredits"}}',
    );
    assert.ok(foreign?.type === 'ended');
    assert.equal(failureTitle({ ...request, end: foreign }), undefined);
  });

  it('include who sent it', () => {
    const kinds = ['chat', 'prompt', 'languageModel', 'connectionTest', 'models', 'media', 'again', 'other'] as const;
    const words = kinds.map((kind) => originWord({ kind }));
    assert.equal(new Set(words).size, kinds.length);
    assert.ok(words.includes('VS Code or another extension'));
  });

  it('name a request without a model by its operation', () => {
    const { model: _model, ...catalog } = { ...request, operation: 'catalog' as const };
    assert.equal(requestName(catalog), 'Model list');
  });

  it('name the origin of each figure', () => {
    const lines = requestLines(request, 'done');
    assert.ok(lines.includes('Chat: done'));
    assert.ok(lines.includes('Tokens per second: 84°'));
    assert.ok(lines.includes('Completion tokens: ≈ 261'));
    assert.ok(lines.includes('Request ID: req_8f2c1a'));
    assert.deepEqual(lines.slice(-2), ['° = measured in VS Code', '≈ = estimated from the text']);
  });

  it('mark the cost only if tokens behind it were estimated', () => {
    const counted = { ...request.end!.metrics, completionTokens: { value: 261, from: 'service' as const } };
    const exact: LoggedRequest = { ...request, end: { ...request.end!, metrics: counted } };
    assert.ok(requestLines(request, 'done').includes('Cost: ≈ 0.0012, at list price'));
    assert.ok(requestLines(exact, 'done').includes('Cost: 0.0012, at list price'));
    assert.match(rowFacts(exact, 'done'), /→ 261 · cost 0\.0012$/);
  });
});

describe('An export', () => {
  it('has every column in each row, in order', () => {
    assert.deepEqual(Object.keys(requestRow(request, 't')), requestColumns);
  });

  it('names the service, and the model as its service spells it', () => {
    useServiceNames({ service: 'Hosted', local: 'My machine' });
    const rowOf = (more: Partial<LoggedRequest>) => {
      const { service, model } = requestRow({ ...request, ...more }, 't');
      return [service, model];
    };
    try {
      assert.deepEqual(rowOf({ model: 'a/b' }), ['Hosted', 'a/b']);
      assert.deepEqual(rowOf({ service: 'local', model: 'local::a/b' }), ['My machine', 'a/b']);
      assert.deepEqual(rowOf({ service: 'removed', model: 'removed::a/b' }), ['removed', 'a/b']);
      const { model: _, ...list } = request;
      const catalog = { ...list, operation: 'catalog', service: 'local' } as const;
      assert.equal(requestName(catalog), 'Model list (My machine)');
    } finally {
      useServiceNames({});
    }
    const { model: _, ...list } = request;
    assert.equal(requestName({ ...list, operation: 'catalog' }), 'Model list');
  });

  it('says whether the service counted the tokens', () => {
    const from = (promptTokens: Figure | undefined, completionTokens: Figure | undefined) =>
      requestRow(
        {
          ...request,
          end: {
            ...request.end!,
            metrics: { ...(promptTokens && { promptTokens }), ...(completionTokens && { completionTokens }) },
          },
        },
        't',
      ).tokens_from;
    assert.equal(from({ value: 1, from: 'service' }, { value: 1, from: 'service' }), 'service');
    assert.equal(from({ value: 1, from: 'service' }, { value: 1, from: 'estimate' }), 'estimate');
    assert.equal(from(undefined, undefined), null);
  });

  it('says where times and rates come from', () => {
    const rowOf = (metrics: ReplyMetrics) => {
      const { ttft_from, rate_from, total_from } = requestRow({ ...request, end: { ...request.end!, metrics } }, 't');
      return [ttft_from, rate_from, total_from];
    };
    const figure = (from: Figure['from']) => ({ value: 1, from });
    assert.deepEqual(
      rowOf({
        timeToFirstTokenSeconds: figure('service'),
        tokensPerSecond: figure('estimate'),
        totalSeconds: figure('here'),
      }),
      ['service', 'estimate', 'here'],
    );
    assert.deepEqual(rowOf({}), [null, null, null]);
  });

  it('is CSV that no spreadsheet runs, even with full-width signs or after invisible characters', () => {
    for (const text of ['＝1+1', '＋A1', '－2', '＠SUM(A1)', '\u200B=1', '\uFEFF=1', '\u3000＝1']) {
      assert.equal(csvOf([[text]]), `'${text}\r\n`, text);
    }
  });

  it('is CSV that no spreadsheet runs', () => {
    const hostile = ['=1+1', '+A1', '-2', '@SUM(A1)', '\t=1', '  =HYPERLINK("x")', 'a,"b"\r\nc', 'plain', -5, null];
    assert.equal(
      csvOf([hostile]),
      `'=1+1,'+A1,'-2,'@SUM(A1),'\t=1,"'  =HYPERLINK(""x"")","a,""b""\r\nc",plain,-5,\r\n`,
    );
  });
});
