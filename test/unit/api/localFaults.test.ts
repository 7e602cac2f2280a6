import assert from 'node:assert/strict';
import { firstHalf, secondHalf } from '../../service/faults/spoken.ts';
import { startInferenceService, type InferenceService } from '../../service/inferenceService.ts';
import { faultModels } from '../../service/models/faultModels.ts';
import { hello, outcomeOf, testClient } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';

/** The outcome of a chat with each fault of the local service. Text is always kept. */
const expected: Readonly<Record<string, string>> = {
  ...each(
    'whole, complete',
    'no-done no-finish left-open after-done crlf cr mixed-line-ends bom no-space fields multi-line empty-data ' +
      'split-characters empty-choices empty-deltas message text usage-everywhere reasoning-field ' +
      'finish-tool-calls no-request-id json ndjson ' +
      'no-content-type wrong-content-type json-content-type comments-first',
  ),
  ...each('whole, incomplete', 'finish-content-filter finish-error finish-paused-by-moon'),
  ...each('whole, incomplete', 'no-last-blank'),
  ...each('half, incomplete', 'unfinished'),
  ...each('other, complete', 'invalid-utf8'),
  ...each('none, complete', 'no-text'),
  ...each('none, streamError', 'error-first error-event-first envelope-200'),
  ...each('half, streamError', 'error-later error-event-later error-event-text'),
  ...each('half, malformed', 'broken-json'),
  ...each('half, connectionLost', 'reset close'),
  ...each('none, connectionLost', 'close-after-headers short-body'),
  ...each('none, network', 'reset-early close-early'),
  ...each('none, emptyAnswer', 'empty-200 no-content'),
  ...each('none, notTheService', 'html-200'),
  ...each('none, backendUnavailable', 'html-502'),
  ...each('none, proxyAuthRequired', 'proxy-login'),
  ...each('none, redirected', 'redirect-301 redirect-302 redirect-303 redirect-307 redirect-308 redirect-nowhere'),
  ...each('none, badRequest', 'body-string body-detail body-message'),
  ...each('none, serverError', 'body-text body-empty body-broken endless-error large-error'),
  ...each('none, rateLimited', 'wait-date wait-ms wait-long wait-nonsense'),
  ...each('half, tooLarge event', 'huge-event'),
  ...each('other, tooLarge reply', 'endless'),
  ...each('none, tooLarge event', 'endless-line'),
  ...each('none, tooLarge body', 'endless-json large-json'),
  ...each('none, timeout firstByte', 'hang headers-only'),
  ...each('half, timeout silence', 'silence'),
};

/** It never produces text. A timeout test checks that its comments count as data. */
const neverOver = ['comments-only'];

describe("The local service's faults, for the client,", () => {
  let service: InferenceService;
  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
  });
  after(() => service.close());

  it('are all listed here', () => {
    const names = faultModels().map(({ id }) => id.slice('local/fault-'.length));
    assert.deepEqual(names.toSorted(), [...Object.keys(expected), ...neverOver].toSorted());
  });

  for (const [name, outcome] of Object.entries(expected)) {
    it(`${name} results in: ${outcome}`, async () => {
      const timeouts = {
        ...(outcome.endsWith('firstByte') ? { firstByteMs: 400 } : {}),
        ...(outcome.endsWith('silence') ? { silenceMs: 1000 } : {}),
      };
      const { client, dispose } = testClient(service.origin, { apiKey: service.apiKey, timeouts });
      const { text, complete, failure } = await outcomeOf(
        client.stream(chatCompletion({ ...hello, model: `local/fault-${name}` })),
      );
      dispose();
      const kept = new Map([
        ['', 'none'],
        [firstHalf, 'half'],
        [firstHalf + secondHalf, 'whole'],
      ]).get(text);
      const which = failure && ('timer' in failure ? ` ${failure.timer}` : 'what' in failure ? ` ${failure.what}` : '');
      const end = failure ? failure.kind + which : complete ? 'complete' : 'incomplete';
      assert.equal(`${kept ?? 'other'}, ${end}`, outcome);
    });
  }
});

function each(outcome: string, names: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, outcome]));
}
