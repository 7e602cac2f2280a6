import assert from 'node:assert/strict';
import { type ChatParameterName, chatParameters } from '../../../../../src/shared/chatParameters.ts';
import { typedNumber } from '../../../../../src/webview/kit/typedNumber.ts';
import {
  countParameters,
  withOption,
  withoutParameters,
} from '../../../../../src/webview/chat/composer/optionFields.ts';

const cases: readonly (readonly [ChatParameterName, string, number | 'empty' | 'invalid'])[] = [
  ['maxTokens', '', 'empty'],
  ['maxTokens', '  ', 'empty'],
  ['maxTokens', '1', 1],
  ['maxTokens', ' 4096 ', 4096],
  ['maxTokens', '0', 'invalid'],
  ['maxTokens', '1.5', 'invalid'],
  ['maxTokens', '1e3', 'invalid'],
  ['maxTokens', '0x10', 'invalid'],
  ['maxTokens', '99999999999999999999', 'invalid'],
  ['maxTokens', 'many', 'invalid'],
  ['temperature', '0', 0],
  ['temperature', '0,7', 0.7],
  ['temperature', '.5', 0.5],
  ['temperature', '7', 7],
  ['temperature', '-0.1', 'invalid'],
  ['temperature', 'Infinity', 'invalid'],
  ['topP', '1', 1],
  ['topP', '0.01', 0.01],
  ['topP', '0', 'invalid'],
  ['topP', '1.01', 'invalid'],
];

describe('A typed parameter', () => {
  for (const [option, typed, expected] of cases) {
    it(`reads ${option} "${typed}" as ${expected}`, () => {
      const parsed = typedNumber(typed, chatParameters[option].kind);
      assert.equal(parsed.kind === 'value' ? parsed.value : parsed.kind, expected);
      if (parsed.kind === 'invalid') assert.notEqual(parsed.message, '');
    });
  }
});

describe('The options of a conversation', () => {
  it("contain no field that isn't set", () => {
    const options = withOption({ model: 'm', temperature: 1 }, 'temperature', undefined);
    assert.deepEqual(Object.keys(options), ['model']);
    assert.deepEqual(withOption(options, 'stream', false), { model: 'm', stream: false });
  });

  it('keep the model when the parameters are reset', () => {
    assert.deepEqual(withoutParameters({ model: 'm', topP: 1, systemPrompt: 'x' }), { model: 'm' });
    assert.deepEqual(withoutParameters({ topP: 1 }), {});
  });

  it('count what a user set, except the model', () => {
    assert.equal(countParameters({ model: 'm' }), 0);
    assert.equal(countParameters({ model: 'm', topP: 1, stream: false }), 2);
  });
});
