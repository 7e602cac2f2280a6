import assert from 'node:assert/strict';
import { mediaDetails, mediaFacts } from '../../../src/core/media/mediaFacts.ts';
import { modelFacts } from '../../../src/core/models/modelFacts.ts';
import { modelFields } from '../../../src/core/models/modelFields.ts';
import type { LoggedRequest } from '../../../src/core/requests/requestLog.ts';
import { requestFacts, requestLines, rowFacts } from '../../../src/core/requests/requestWords.ts';
import { todayLine } from '../../../src/core/requests/todayLine.ts';
import { numberText, writeNumbersIn } from '../../../src/words/numberText.ts';
import { bytesText } from '../../../src/words/bytes.ts';
import { momentText, timeOfDayText } from '../../../src/words/moment.ts';
import { speedText } from '../../../src/words/replySpeed.ts';

const service = (value: number) => ({ value, from: 'service' as const });
const metrics = {
  timeToFirstTokenSeconds: service(0.312),
  tokensPerSecond: service(7.3),
  totalSeconds: service(3.41),
  promptTokens: service(12_412),
  completionTokens: service(1261),
};
const request: LoggedRequest = {
  id: 'r1',
  at: 0,
  writer: 'w1',
  pid: 1,
  operation: 'chat',
  origin: { kind: 'chat' },
  model: 'a/b',
  end: { at: 3400, outcome: 'done', metrics, cost: 0.0012 },
};
const model = {
  id: 'a',
  contextWindow: 128_000,
  inputPricePerMillion: 0.15,
  outputPricePerMillion: 0.6,
  raw: { pricing: { request: '0.05' } },
};

describe('Numbers', () => {
  afterEach(() => writeNumbersIn('en'));

  it('have the requested decimals, or as many as they need', () => {
    assert.deepEqual(
      [numberText(12_412), numberText(0.3, 2), numberText(0.123456, 0, 20)],
      ['12,412', '0.30', '0.123456'],
    );
  });

  it("are formatted in the language of VS Code, wherever they're read", () => {
    writeNumbersIn('de');
    assert.equal(modelFields(model).find(({ label }) => label === 'Context window')?.value, '128.000 tokens');
    assert.equal(
      modelFacts(model, { timeToFirstTokenSeconds: service(0.312), tokensPerSecond: service(7.3) }),
      '7,3 tok/s · 0,31 s · 0,15/0,60 · 128k context',
    );
    assert.equal(
      modelFacts({ ...model, inputPricePerMillion: 0, outputPricePerMillion: 0 }),
      '0,05 per request · 128k context',
    );
    const figures = '7,3 tok/s · 0,31 s first token · 3,4 s total · 12.412 → 1.261 tokens';
    assert.equal(speedText(metrics), figures);
    assert.equal(requestFacts(request, 'done'), `${figures} · cost 0,0012`);
    assert.equal(rowFacts(request, 'done'), '7,3 tok/s · 0,31 s · 3,4 s · 12.412 → 1.261 · cost 0,0012');
    assert.ok(requestLines(request, 'done').includes('Prompt tokens: 12.412'));
    assert.equal(
      todayLine({
        requests: 2,
        failed: 0,
        promptTokens: 12_000,
        completionTokens: 412,
        cost: 0.042,
        unpriced: 0,
        speed: { timeToFirstTokenSeconds: service(0.31) },
      }),
      'Today: 2 requests · 12.412 tokens · cost 0,042 · 0,31 s first token',
    );
    assert.equal(bytesText(4_400_000), '4,2 MB');
  });

  it("of media are too, except for values that aren't amounts", () => {
    writeNumbersIn('de');
    const run = { id: 'a', writer: 'w', pid: 1, startedAt: 0, outcome: 'made', outputs: [], isDeleted: false } as const;
    const parameters = { kind: 'image', model: 'm', prompt: 'p', cfg: 7.5, seed: 12_345 } as const;
    assert.deepEqual(mediaFacts({ ...run, parameters, cost: 0.1 }), ['seed 12345', 'cost 0,10']);
    const rows = mediaDetails({ ...run, parameters, cost: 0.123456 });
    assert.deepEqual(
      rows.map(({ value }) => value),
      ['m', '7,5', '12345', '0,123456, reported by the service'],
    );
  });

  it('of a time in the chat follow VS Code and not the browser', () => {
    const at = Date.UTC(2030, 0, 31, 15, 4);
    assert.match(timeOfDayText(at), /[AP]M$/);
    writeNumbersIn('de');
    assert.equal(momentText(at), new Date(at).toLocaleString('de'));
    assert.match(timeOfDayText(at), /^\d\d:\d\d$/);
  });
});
