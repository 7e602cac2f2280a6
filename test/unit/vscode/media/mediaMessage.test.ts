import assert from 'node:assert/strict';
import * as v from 'valibot';
import { itemActs, type ToMediaHost } from '../../../../src/shared/protocol/mediaProtocol.ts';
import { mediaMessageSchema } from '../../../../src/vscode/media/mediaMessage.ts';
import { seededRandom } from '../../../service/seededRandom.ts';

const good: readonly ToMediaHost[] = [
  { type: 'ready' },
  {
    type: 'run',
    parameters: { kind: 'video', model: 'm', duration: 5, image: { kind: 'address', url: 'https://a.test' } },
  },
  { type: 'run', parameters: { kind: 'image', model: 'm', prompt: 'p', cfg: 7.5 } },
  { type: 'act', id: 'a', output: 0, act: itemActs[0] },
  { type: 'runAction', action: 'showLog' },
  { type: 'runAction', action: 'useModel', id: 'a', model: 'local/image' },
];

describe('A message of a media page', () => {
  it("is accepted if it's in the protocol", () => {
    for (const message of good) assert.deepEqual(v.parse(mediaMessageSchema, message), message);
  });

  it('can name no path, no command, and no URL to load', () => {
    for (const message of [
      { type: 'act', id: '../../etc/passwd', output: 0, act: 'open' },
      { type: 'act', id: 'a', output: 64, act: 'open' },
      { type: 'act', id: 'a', output: 0, act: 'exec' },
      { type: 'runAction', action: 'workbench.action.terminal.new' },
      { type: 'runAction', action: 'useModel', id: '../a', model: 'm' },
      { type: 'runAction', action: 'useModel', id: 'a', model: 'm'.repeat(257) },
      { type: 'restore', id: 'a/b' },
      {
        type: 'run',
        parameters: {
          kind: 'video',
          model: 'm',
          image: { kind: 'file', id: '../x', name: 'x', mediaType: 'image/png', sizeBytes: 1 },
        },
      },
      {
        type: 'run',
        parameters: {
          kind: 'video',
          model: 'm',
          image: { kind: 'file', id: 'x', name: 'x', mediaType: 'image/png;base64,AAAA', sizeBytes: 1 },
        },
      },
    ]) {
      assert.equal(v.is(mediaMessageSchema, message), false, JSON.stringify(message));
    }
  });

  it('of any other kind is ignored, whatever it contains', () => {
    const random = seededRandom('media messages');
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const odd = (): unknown =>
      pick([
        undefined,
        null,
        true,
        -1,
        NaN,
        Infinity,
        '',
        'video',
        '__proto__',
        [],
        {},
        { kind: 'video' },
        [[]],
        'x'.repeat(2000),
      ]);
    for (let round = 0; round < 10_000; round += 1) {
      const message: Record<string, unknown> = { ...pick(good), seq: odd() };
      for (let change = 0; change <= random() * 3; change += 1) {
        const names = [...Object.keys(message), 'type', 'id', 'item', 'snapshot', 'form', 'problem', 'parameters'];
        message[pick(names)] = odd();
      }
      const taken = v.safeParse(mediaMessageSchema, message);
      assert.ok(!taken.success || good.some(({ type }) => type === taken.output.type));
    }
  });
});
