import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
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
  function explainer(
    ids: readonly string[] = ['service', 'two'],
    logged = (error: unknown): unknown => assert.fail(String(error)),
  ): Explainer {
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
      log: { error: (_, error) => void logged(error) },
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

  it('of the file system says what to do about it, and not that Parlance has a bug', async () => {
    const logged: unknown[] = [];
    const one = explainer(undefined, (error) => logged.push(error));
    const inFile = `${fileURLToPath(import.meta.url)}/inside`;
    const error: unknown = await writeFile(inFile, '').catch((caught: unknown) => caught);
    const { title, detail, technical } = one.problemOfError(error, { during: 'command' });
    assert.deepEqual([title, technical], ["Couldn't read or save a file", 'ENOTDIR']);
    assert.equal(detail, 'Reason: ENOTDIR: not a directory');
    assert.deepEqual(logged, [error]);
    const ofNetwork = Object.assign(new Error('connect EACCES /x.sock'), { code: 'EACCES', syscall: 'connect' });
    const ofProgram = Object.assign(new Error('spawn git EACCES'), { code: 'EACCES', path: 'git' });
    for (const bug of [new TypeError('a bug'), ofNetwork, ofProgram])
      assert.equal(one.problemOfError(bug).title, 'Something went wrong in Parlance');
  });
});
