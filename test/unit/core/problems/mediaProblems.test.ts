import assert from 'node:assert/strict';
import { cardProblem, unknownNotice, unknownProblem } from '../../../../src/core/problems/mediaProblems.ts';
import { problemOf } from '../../../../src/core/problems/problemOf.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { failureSamples } from '../failureSamples.ts';

describe('The problem of a media run', () => {
  const context = {
    during: 'media',
    pages: {},
    hasPartialText: false,
    now: 0,
    model: 'local/imag',
    closestModels: () => ['local/image'],
  } as const;
  const actionsOf = (kind: keyof typeof failureSamples) =>
    (failureSamples[kind] ?? []).map((failure) => cardProblem(problemOf(failure, context)).actions);

  it('with a missing model offers the closest ones first, then all of them', () => {
    assert.deepEqual(actionsOf('modelNotFound')[0], [
      { kind: 'useModel', label: 'Use local/image', model: 'local/image' },
      { kind: 'selectModel', label: 'Select Another Model…' },
    ]);
  });

  it('has no action that sends again, or that only a conversation has', () => {
    for (const kind of Object.keys(failureSamples)) {
      for (const action of actionsOf(kind as keyof typeof failureSamples).flat()) {
        assert.ok(!['retry', 'continue', 'newChat', 'openParameters'].includes(action.kind), `${kind}: ${action.kind}`);
      }
    }
  });
});

describe('The card of a run that has an unknown end', () => {
  const cardOf = (failure: ApiFailure) => {
    const context = { during: 'media', pages: {}, hasPartialText: false, now: 0, model: 'local/video' } as const;
    return unknownProblem(failure, cardProblem(problemOf(failure, context)), context);
  };

  it('names the job that the service queued, because a second run would be charged too', () => {
    const [failure = assert.fail()] = failureSamples.unsupported;
    const { title, detail, requestId } = cardOf(failure);
    assert.equal(title, 'Might have been generated and charged');
    assert.equal(
      detail,
      "The service queued the request as job job_51c0. Parlance can't retrieve queued results. " +
        "The result might be on the service's own pages. You might have been charged.",
    );
    assert.notEqual(requestId, undefined);
  });

  it('otherwise says what ended the wait', () => {
    assert.equal(
      cardOf({ kind: 'emptyAnswer', status: 200 }).detail,
      'The response was empty. The service might have generated it anyway. Parlance never resends it automatically.',
    );
  });
});

describe('The notice that a run has an unknown end', () => {
  it('mentions a charge, but not for a server on this computer', () => {
    assert.equal(unknownNotice('a kite', { host: 'api.test' }), 'Might have been generated and charged: a kite');
    assert.equal(unknownNotice('a kite', { host: '127.0.0.1:8080' }), 'Might have been generated: a kite');
  });
});
