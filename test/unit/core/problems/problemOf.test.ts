import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { problemOf, type ProblemContext, problemOfNoModels } from '../../../../src/core/problems/problemOf.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import type { Problem } from '../../../../src/shared/problem.ts';
import { failureSamples } from '../failureSamples.ts';

const goldenFile = new URL('problem.golden.txt', import.meta.url);
const bare: ProblemContext = { pages: {}, hasPartialText: false, now: 1_000_000, model: 'maker/model' };
const pages = {
  keys: 'https://service.example/keys',
  credits: 'https://service.example/credits',
  inferenceLog: 'https://service.example/log',
};
const full: ProblemContext = { ...bare, pages, hasPartialText: true, host: 'service.example', attempts: 3 };
const all: readonly ApiFailure[] = Object.values(failureSamples).flat();

describe('problemOf', () => {
  it('has a sample here for each known kind and reason', () => {
    const source = readFileSync(new URL('../../../../src/shared/apiFailure.ts', import.meta.url), 'utf8');
    const known = new Set([...source.matchAll(/'(\w+)'/g)].map((match) => match[1] ?? ''));
    known.delete('kind');
    const sampled = new Set(
      all.flatMap((failure) => Object.values(failure).filter((value) => typeof value === 'string')),
    );
    assert.ok(known.size > 40);
    assert.deepEqual(
      [...known].filter((word) => !sampled.has(word)),
      [],
    );
  });

  it('matches the golden text for each failure', () => {
    const text = all
      .map((failure) =>
        [
          `## ${titleOf(failure)}`,
          written(problemOf(failure, bare)),
          'with some text, all pages and three attempts:',
          written(problemOf(failure, full)),
        ].join('\n'),
      )
      .concat(`## no models\n${written(problemOfNoModels({ ...full, during: 'connectionTest' }))}`)
      .join('\n\n')
      .concat('\n');
    if (process.env['UPDATE_GOLDEN'] === '1') {
      writeFileSync(goldenFile, text);
    }
    assert.equal(text, readFileSync(goldenFile, 'utf8'));
  });

  it('gives each failure a title of at most six words without a period, a detail of whole sentences, and something to do', () => {
    for (const failure of all) {
      for (const context of [bare, full]) {
        const problem = problemOf(failure, context);
        assert.match(problem.title, /^\S.{3,70}[^.]$/, problem.title);
        assert.ok(problem.title.split(/\s+/).length <= 6, problem.title);
        assert.match(problem.detail, /[."”…]$/, problem.title);
        assert.ok(problem.actions.length > 0, problem.title);
        const kinds = problem.actions.map((action) => action.kind);
        assert.equal(new Set(kinds).size, kinds.length, problem.title);
      }
    }
  });

  it('says what was kept in every chat, and nothing of the kind elsewhere', () => {
    for (const failure of all) {
      assert.match(problemOf(failure, bare).detail, /Your message was kept\./);
      assert.match(problemOf(failure, full).detail, /The text so far was kept\./);
      assert.doesNotMatch(problemOf(failure, { ...full, during: 'connectionTest' }).detail, /kept\./);
    }
  });

  it('never says that a model list might have been charged', () => {
    for (const failure of all) {
      assert.doesNotMatch(problemOf(failure, { ...bare, during: 'catalog' }).detail, /might have been charged/);
    }
  });

  it("offers a web page only if it's set, and then leads there for credits", () => {
    for (const failure of all) {
      const kinds = problemOf(failure, bare).actions.map((action) => action.kind);
      assert.ok(!kinds.some((kind) => kind.endsWith('Page')), kinds.join());
    }
    const [outOfCredits] = failureSamples.outOfCredits;
    assert.ok(outOfCredits);
    assert.equal(problemOf(outOfCredits, full).actions[0]?.kind, 'openCreditsPage');
  });

  it('never mentions a charge by a server on this computer', () => {
    for (const failure of all) {
      for (const host of ['localhost:8080', '127.0.0.1:1234', '[::1]:80', 'api.localhost']) {
        assert.doesNotMatch(problemOf(failure, { ...full, host }).detail, /might have been charged/, host);
      }
    }
    assert.match(problemOf({ kind: 'emptyAnswer', status: 200 }, full).detail, /might have been charged/);
  });

  it('sends nobody to the proxy settings for a server on this computer, unless the proxy failed', () => {
    const offersProxy = (failure: ApiFailure, host: string) =>
      problemOf(failure, { ...bare, host }).actions.some(({ kind }) => kind === 'openProxySettings');
    const proxied = [...failureSamples.network, ...failureSamples.timeout, ...failureSamples.notTheService].filter(
      (failure) => offersProxy(failure, 'service.example'),
    );
    assert.ok(proxied.length > 5);
    for (const failure of proxied) {
      for (const host of ['localhost:8080', '127.0.0.1:1234', '[::1]:80', 'api.localhost']) {
        const isProxy = failure.kind === 'network' && failure.reason === 'proxy';
        const local = 'host' in failure && !isProxy ? { ...failure, host } : failure;
        assert.equal(offersProxy(local, host), isProxy, `${failure.kind} ${host}`);
      }
    }
    // A file of a local service can be somewhere else.
    const away: ApiFailure = {
      kind: 'network',
      reason: 'refused',
      host: 'files.example',
      code: 'ECONNREFUSED',
      mayHaveBeenSent: false,
    };
    assert.ok(offersProxy(away, 'localhost:8080'));
  });

  it('says to start a server on this computer that refuses connections', () => {
    const { detail, actions } = problemOf(
      { kind: 'network', reason: 'refused', host: '127.0.0.1:8080', code: 'ECONNREFUSED', mayHaveBeenSent: false },
      { ...bare, host: '127.0.0.1:8080' },
    );
    assert.match(detail, /^Start the service, or check the port in the base URL\. Your message was kept\./);
    assert.deepEqual(
      actions.map(({ kind }) => kind),
      ['retry', 'setBaseUrl'],
    );
  });

  it('recognizes the content filters of OpenAI, Azure, and Alibaba by their codes', () => {
    const codes = ['content_filter', 'content_policy_violation', 'moderation_blocked', 'data_inspection_failed'];
    for (const code of codes) {
      const problem = problemOf({ kind: 'badRequest', status: 400, message: 'No.', code }, bare);
      assert.equal(problem.title, 'Blocked by the content filter', code);
    }
  });

  it('names a status that the service repeats as its code once', () => {
    const refused = { kind: 'unauthorized', status: 401, message: '', code: '401' } as const;
    assert.equal(problemOf(refused, bare).technical, '401');
    assert.equal(problemOf({ ...refused, type: 'auth_error' }, bare).technical, '401 auth_error');
  });

  it('explains a refusal of the form in which audio is uploaded, and a file that is too large', () => {
    const upload = { ...bare, during: 'command', isUpload: true } as const;
    const failure = { kind: 'unexpectedStatus', status: 415, message: '' } as const;
    assert.match(problemOf(failure, upload).detail, /multipart\/form-data/);
    assert.doesNotMatch(problemOf(failure, bare).detail, /multipart/);
    assert.match(problemOf({ kind: 'requestTooLarge', status: 413, message: '' }, upload).detail, /file is too large/);
  });

  it('offers no action of a chat outside of a chat', () => {
    for (const failure of all) {
      for (const during of ['connectionTest', 'catalog', 'command'] as const) {
        const kinds = problemOf(failure, { ...full, during }).actions.map((action) => action.kind);
        for (const kind of ['continue', 'openParameters', 'newChat'] as const) {
          assert.ok(!kinds.includes(kind), `${failure.kind} ${during}`);
        }
        assert.equal(kinds.includes('retry'), during === 'catalog' && kinds.includes('retry'));
      }
    }
  });

  it('has the time of the next attempt if the service named a wait', () => {
    const [waiting] = failureSamples.rateLimited;
    assert.ok(waiting);
    assert.equal(problemOf(waiting, bare).retryAt, 1_000_000 + 41_000);
    assert.equal(problemOf({ kind: 'rateLimited', status: 429, message: '' }, bare).retryAt, undefined);
  });

  it('quotes untrusted text on one line, bounded, with nothing hidden', () => {
    const hostile = `a\u202Eb\u0000c\n\u200Bd ${'x'.repeat(100_000)}`;
    for (const failure of all) {
      const problem = problemOf(poisoned(failure, hostile), { ...full, model: hostile, host: hostile });
      const text = JSON.stringify(problem);
      assert.ok(text.length < 4_000, failure.kind);
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      assert.doesNotMatch(text, /[\u0000-\u001F\u202E\u200B]/, failure.kind);
      assert.doesNotMatch(text, /\\n/, failure.kind);
    }
  });

  it('leaves no placeholder in a detail without a model', () => {
    const { model: _, ...nameless } = bare;
    for (const failure of all) {
      assert.doesNotMatch(problemOf(failure, nameless).detail, /undefined|\{\d\}/);
    }
  });
});

function titleOf(failure: ApiFailure): string {
  const { kind, ...rest } = failure;
  const reason = ['reason', 'timer', 'missing', 'what', 'where'].flatMap((name) => {
    const value: unknown = Object.entries(rest).find(([key]) => key === name)?.[1];
    return typeof value === 'string' ? [value] : [];
  });
  return [kind, ...reason].join(' ');
}

function written(problem: Problem): string {
  return [
    `[${problem.severity}] ${problem.title}`,
    problem.detail,
    problem.actions.map((action) => `<${action.label}>`).join(' '),
    [problem.technical, problem.requestId].filter((fact) => fact !== undefined && fact !== '').join(' · '),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** The same failure with hostile text in every free-text field. */
function poisoned(failure: ApiFailure, hostile: string): ApiFailure {
  const free = new Set([
    'message',
    'type',
    'code',
    'param',
    'requestId',
    'host',
    'toHost',
    'to',
    'sample',
    'contentType',
    'found',
    'jobId',
    'jobStatus',
  ]);
  const change = Object.fromEntries(Object.keys(failure).flatMap((key) => (free.has(key) ? [[key, hostile]] : [])));
  return { ...failure, ...change };
}

describe("The problem of a model that the service doesn't have", () => {
  const failure = failureSamples.modelNotFound[0] as ApiFailure;
  const closestModels = (model: string) => (model === 'maker/model' ? ['maker/model-2', 'other/\u202Emodel'] : []);

  it('offers the closest IDs first, each with its model, and the list after them', () => {
    assert.deepEqual(problemOf(failure, { ...bare, closestModels }).actions, [
      { kind: 'useModel', label: 'Use maker/model-2', model: 'maker/model-2' },
      { kind: 'useModel', label: 'Use other/\\u{202e}model', model: 'other/\u202Emodel' },
      { kind: 'selectModel', label: 'Select Another Model…' },
      { kind: 'retry', label: 'Retry' },
    ]);
  });

  it('offers none if nothing is close, and none outside of a chat and Media', () => {
    const kinds = (context: ProblemContext) => problemOf(failure, context).actions.map(({ kind }) => kind);
    assert.deepEqual(kinds({ ...bare, model: 'x', closestModels }), ['selectModel', 'retry']);
    assert.ok(!kinds({ ...bare, during: 'command', closestModels }).includes('useModel'));
  });
});

describe('The problem of a conversation that is too long', () => {
  const failure = failureSamples.contextTooLong[0] as ApiFailure;
  const labels = (context: ProblemContext) => problemOf(failure, context).actions.map(({ label }) => label);
  const larger = [{ id: 'harbor/quill-70b', contextWindow: 131_072 }];

  it('offers every way out, and the models with more room first', () => {
    const waysOut = { larger, canSummarize: true, canLeaveOut: true, hasLeftOut: false };
    const { actions, detail } = problemOf(failure, { ...bare, model: 'x', waysOut });
    assert.deepEqual(actions, [
      { kind: 'useModel', label: 'Use harbor/quill-70b (131,072 tokens)', model: 'harbor/quill-70b' },
      { kind: 'selectModel', label: 'Select Another Model…' },
      { kind: 'summarize', label: 'Summarize in New Chat' },
      { kind: 'leaveOutEarliest', label: 'Exclude Earliest Messages' },
      { kind: 'retry', label: 'Retry' },
      { kind: 'openParameters', label: 'Change Parameters…' },
    ]);
    assert.match(detail, /exclude its earliest messages, then retry\.$/);
  });

  it('offers no more than can be done', () => {
    const waysOut = { larger: [], canSummarize: true, canLeaveOut: false, hasLeftOut: false };
    const others = ['Select Another Model…', 'New Chat', 'Change Parameters…'];
    assert.deepEqual(labels({ ...bare, model: 'x', waysOut }), others);
    assert.deepEqual(
      labels({ ...bare, model: 'x', waysOut: { ...waysOut, hasLeftOut: true } }),
      ['Select Another Model…', 'New Chat', 'Retry', 'Change Parameters…'],
      'there is less to send',
    );
    // Similar IDs have nothing to do with it.
    assert.deepEqual(labels({ ...bare, model: 'x', closestModels: () => ['y'] }), others);
  });
});
