import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createParser } from 'eventsource-parser';
import { firstHalf, secondHalf } from '../../service/faults/spoken.ts';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { faultModels } from '../../service/models/faultModels.ts';
import { type Answer, goodBody, open, send } from './serviceClient.ts';

const wholeText = firstHalf + secondHalf;

/** Faults that only pause, or never end, so the client leaves. */
const endless = ['endless', 'endless-line', 'endless-json', 'endless-error', 'comments-only'];
const held = ['left-open', 'headers-only', 'silence'];
const cut = ['reset', 'close', 'close-after-headers', 'short-body'];
const unanswered = ['reset-early', 'close-early', 'hang'];

const statuses: Readonly<Record<string, number>> = {
  'no-content': 204,
  'html-502': 502,
  'proxy-login': 407,
  'redirect-301': 301,
  'redirect-302': 302,
  'redirect-303': 303,
  'redirect-307': 307,
  'redirect-308': 308,
  'redirect-nowhere': 302,
  'body-string': 400,
  'body-detail': 400,
  'body-message': 400,
  'body-text': 500,
  'body-empty': 500,
  'body-broken': 500,
  'large-error': 500,
  'endless-error': 500,
  'wait-date': 429,
  'wait-ms': 429,
  'wait-long': 429,
  'wait-nonsense': 429,
};

/** Well-formed streams in the specification's form with complete text. */
const goodStreams = (
  'no-done no-finish after-done crlf cr mixed-line-ends bom no-space fields multi-line empty-data ' +
  'split-characters empty-choices empty-deltas message text usage-everywhere reasoning-field ' +
  'finish-content-filter finish-tool-calls finish-error finish-paused-by-moon no-request-id ' +
  'no-content-type wrong-content-type json-content-type comments-first'
).split(' ');

interface LooseChunk {
  readonly choices?:
    | readonly {
        readonly delta?: { readonly content?: string | null } | null;
        readonly message?: { readonly content: string };
        readonly text?: string;
      }[]
    | null;
}

function textOfStream(stream: string): string {
  let text = '';
  let isDone = false;
  const parser = createParser({
    onEvent: ({ data }) => {
      isDone ||= data === '[DONE]';
      if (isDone || data === '') return;
      const chunk: LooseChunk = JSON.parse(data);
      const choice = chunk.choices?.[0];
      text += choice?.delta?.content ?? choice?.message?.content ?? choice?.text ?? '';
    },
  });
  parser.feed(stream);
  return text;
}

describe('The faults of the service', () => {
  let service: InferenceService;

  before(async () => {
    service = await startInferenceService();
  });

  after(() => service.close());

  const names = faultModels().map(({ id }) => id.slice('local/fault-'.length));
  const play = (name: string): Promise<Answer> => send(service, { ...goodBody, model: `local/fault-${name}` });

  it('are each named only once, and are known to these tests', () => {
    const special = [...endless, ...held, ...cut, ...unanswered, ...Object.keys(statuses), ...goodStreams];
    assert.deepEqual(
      special.filter((name) => !names.includes(name)),
      [],
    );
    assert.equal(new Set(names).size, names.length);
  });

  for (const name of names.filter((each) => ![...endless, ...held, ...unanswered].includes(each))) {
    it(`return ${statuses[name] ?? 200} and ${cut.includes(name) ? 'break off' : 'end'} for ${name}`, async () => {
      const answer = await play(name);
      assert.equal(answer.status, statuses[name] ?? 200);
      assert.equal(answer.isCut, cut.includes(name));
      assert.equal(answer.headers['x-request-id'] === undefined, name === 'no-request-id');
      const isFailed = answer.status >= 400 || cut.includes(name);
      const entry = service.log().at(-1);
      assert.equal(entry?.outcome, isFailed ? 'failed' : 'done');
      assert.equal(entry?.status, answer.status);
      if (goodStreams.includes(name)) assert.equal(textOfStream(answer.text), wholeText);
    });
  }

  for (const name of [...endless, ...held]) {
    it(`keep the connection open for ${name}`, async () => {
      const response = await open(service, { ...goodBody, model: `local/fault-${name}` });
      assert.equal(response.statusCode, statuses[name] ?? 200);
      if (name !== 'headers-only') await once(response, 'data');
      response.destroy();
      await service.waitForEntry(({ model, outcome }) => model === `local/fault-${name}` && outcome === 'canceled');
    });
  }

  it('end without a response for reset-early and close-early', async () => {
    await assert.rejects(play('reset-early'), { code: 'ECONNRESET' });
    await assert.rejects(play('close-early'), { message: 'socket hang up' });
  });

  it('redirect to the other form of the host', async () => {
    const answer = await play('redirect-307');
    assert.equal(answer.headers.location, `${service.legacyBaseUrl}/chat/completions`);
    const fromLegacy = await send(
      service,
      { ...goodBody, model: 'local/fault-redirect-307' },
      { url: `${service.legacyBaseUrl}/chat/completions` },
    );
    assert.equal(fromLegacy.headers.location, `${service.baseUrl}/chat/completions`);
  });

  it('break where they claim to', async () => {
    const textBefore = async (name: string): Promise<string> => {
      const { text } = await play(name);
      return textOfStream(text.slice(0, text.lastIndexOf('\n\n') + 2));
    };
    assert.equal(await textBefore('reset'), firstHalf);
    assert.equal(await textBefore('close'), firstHalf);
    assert.equal(await textBefore('unfinished'), firstHalf);
    assert.equal(await textBefore('error-later'), firstHalf);
    assert.equal(await textBefore('error-first'), '');
    const { text } = await play('broken-json');
    assert.throws(() => textOfStream(text), SyntaxError);
    assert.doesNotMatch((await play('no-finish')).text, /"finish_reason":"/);
    assert.doesNotMatch((await play('no-done')).text, /\[DONE\]/);
    assert.doesNotMatch((await play('no-last-blank')).text, /\n$/);
    assert.match((await play('invalid-utf8')).text, /\uFFFD/);
  });

  it('have the sizes that they claim', async () => {
    const mebibyte = 1024 * 1024;
    assert.ok(Math.max(...(await play('huge-event')).text.split('\n').map(({ length }) => length)) > 2 * mebibyte);
    assert.ok((await play('large-json')).text.length > 9 * mebibyte);
    assert.ok((await play('large-error')).text.length > 128 * 1024);
  });
});
