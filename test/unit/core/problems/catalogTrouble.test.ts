import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { troubleOf } from '../../../../src/core/problems/catalogTrouble.ts';

describe('Why the Models view has no list', () => {
  it('is the missing key if none was sent, and the account if one was', () => {
    const refused = { kind: 'unauthorized', status: 401, message: '' } as const;
    assert.equal(troubleOf({ ...refused, isKeyless: true }), 'key');
    assert.equal(troubleOf(refused), 'refused');
  });

  it('is the service if neither of its paths has a list, not the URL', () => {
    assert.equal(troubleOf({ kind: 'noApi', what: 'models', status: 404, message: '' }), 'noList');
  });

  it('has a text in the view for each reason', () => {
    const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
    for (const trouble of [
      'address',
      'key',
      'keyElsewhere',
      'refused',
      'unreachable',
      'notTheService',
      'noList',
      'other',
    ]) {
      assert.ok(manifest.includes(`"when": "parlance.modelsState == '${trouble}'"`), trouble);
    }
  });
});
