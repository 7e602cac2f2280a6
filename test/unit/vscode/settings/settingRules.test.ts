import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { flag, numberOrUnset, ownValue, textUpTo } from '../../../../src/vscode/settings/settingRules.ts';

describe('ownValue', () => {
  it("uses the user's value, or the default, and ignores every layer that a repository can write", () => {
    const hostile = {
      defaultValue: 'default',
      workspaceValue: 'hostile',
      workspaceFolderValue: 'hostile',
      defaultLanguageValue: 'hostile',
      globalLanguageValue: 'hostile',
      workspaceLanguageValue: 'hostile',
      workspaceFolderLanguageValue: 'hostile',
    };
    assert.equal(ownValue(hostile), 'default');
    assert.equal(ownValue({ ...hostile, globalValue: 'mine' }), 'mine');
    assert.equal(ownValue({ ...hostile, globalValue: '' }), '');
    assert.equal(ownValue(undefined), undefined);
  });
});

describe('A rule for settings', () => {
  it('accepts text up to its length, and nothing but text', () => {
    const rule = textUpTo(3);
    assert.equal(rule('abc'), 'abc');
    for (const raw of ['abcd', 3, null, undefined, {}, []]) {
      assert.equal(rule(raw), undefined);
    }
  });

  it('accepts only true and false for a flag', () => {
    assert.equal(flag(true), true);
    assert.equal(flag(false), false);
    assert.equal(flag('true'), undefined);
    assert.equal(flag(null), undefined);
  });

  it('accepts numbers within its limits, and null as not set', () => {
    const tokens = numberOrUnset({ integer: true, min: 1 });
    assert.equal(tokens(null), null);
    assert.equal(tokens(1), 1);
    for (const raw of [0, -1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '5', undefined]) {
      assert.equal(tokens(raw), undefined, String(raw));
    }
    const share = numberOrUnset({ above: 0, max: 1 });
    assert.equal(share(1), 1);
    assert.equal(share(0.01), 0.01);
    assert.equal(share(0), undefined);
    assert.equal(share(1.01), undefined);
    assert.equal(numberOrUnset({ min: 0 })(0), 0);
  });
});
