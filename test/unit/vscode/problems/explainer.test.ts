import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ApiError } from '../../../../src/api/apiError.ts';
import { modelRef } from '../../../../src/shared/modelRef.ts';
import { createRedactor } from '../../../../src/vscode/platform/redactor.ts';
import { Explainer } from '../../../../src/vscode/problems/explainer.ts';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';

const otherHost = { kind: 'setup', missing: 'apiKeyForThisHost' } as const;

describe('A problem', () => {
  beforeEach(() => useServiceNames({ service: 'One', two: 'Two' }));
  afterEach(() => useServiceNames({}));

  /** @param ids of the services, in the user's order */
  function explainer(ids: readonly string[] = ['service', 'two']): Explainer {
    const services = ids.map((id) => ({
      id,
      endpoint: { host: `${id}.test`, keySource: undefined },
      pages: () => ({ keys: `https://${id}.test/keys` }),
    }));
    const [first = assert.fail()] = services;
    return new Explainer({
      main: () => first,
      serviceOf: (wanted) => services.find(({ id }) => id === wanted),
      redactor: createRedactor(),
      log: { error: assert.fail },
      closestModels: () => [],
    });
  }

  it('is about the service that the error names, so that its buttons act there, wherever the error is caught', () => {
    const caught = explainer().problemOfError(new ApiError(otherHost, undefined, 'two'), { during: 'command' });
    assert.equal(caught.service, 'two');
    assert.match(`${caught.title} ${caught.detail}`, /two\.test/);
    assert.doesNotMatch(JSON.stringify(caught), /service\.test/);
  });

  it('is about the service of the model, if that is known', () => {
    const problem = explainer().problem(otherHost, { model: modelRef('two', 'a/b') });
    assert.equal(problem.service, 'two');
  });

  it('is about the first service if nothing says otherwise, and needs no name for that', () => {
    for (const problem of [explainer().problem(otherHost), explainer().problem(otherHost, { model: 'a/b' })]) {
      assert.equal(problem.service, undefined);
      assert.match(`${problem.title} ${problem.detail}`, /service\.test/);
    }
  });

  it('names the oldest service too, if another one was moved before it', () => {
    const moved = explainer(['two', 'service']);
    assert.equal(moved.problem(otherHost, { model: 'a/b' }).service, 'service');
    assert.equal(moved.problem(otherHost).service, undefined);
  });
});
