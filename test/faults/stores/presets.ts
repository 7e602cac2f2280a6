import assert from 'node:assert/strict';
import { join } from 'node:path';
import { FormMemory } from '../../../src/vscode/media/formMemory.ts';
import { checkSet, filesWith, type StoreUnderTest } from '../storeUnderTest.ts';
import { outcomeOf, waitForRetries } from './settling.ts';

const file = 'forms.json';

interface Preset {
  readonly kind: 'video' | 'image';
  readonly name: string;
  readonly isDeleted?: boolean;
}

type Seen = readonly { readonly name: string; readonly model: string | undefined }[];

export const presets: StoreUnderTest<Preset, Seen> = {
  name: 'presets',
  files: /^forms\.json$/,
  operation(random, _window, before) {
    const saved = before.filter(({ op }) => op.isDeleted !== true);
    if (saved.length > 0 && random.chance(0.35)) return { ...random.pick(saved).op, isDeleted: true };
    return { kind: random.pick(['video', 'image']), name: random.uuid() };
  },
  open(setting) {
    const store = new FormMemory(join(setting.folder, file), setting.report, assert.ifError);
    return Promise.resolve({
      run: async ({ kind, name, isDeleted }) => ({
        outcome: await outcomeOf(setting, async () => {
          if (isDeleted === true) return store.deletePreset(kind, name);
          await store.keep(kind, { texts: { model: `last ${name}` }, inputs: {} });
          await store.savePreset(kind, name, { texts: { model: `of ${name}` }, inputs: {} });
        }),
      }),
      settle: () => waitForRetries(() => store.values('video')),
      close: () => Promise.resolve(),
    });
  },
  async look({ folder, report }) {
    const store = new FormMemory(join(folder, file), report, assert.ifError);
    const seen: { name: string; model: string | undefined }[] = [];
    for (const kind of ['video', 'image'] as const) {
      for (const name of await store.presetNames(kind)) {
        const model = (await store.preset(kind, name))?.texts.model;
        seen.push({ name, model });
      }
    }
    return seen;
  },
  check: (done, seen, folder) => [
    ...checkSet(done, {
      added: ({ name, isDeleted }) => (isDeleted === true ? undefined : name),
      removes: (op, item) => op.isDeleted === true && op.name === item,
      isThere: (item) => seen.some(({ name, model }) => name === item && model === `of ${item}`),
      isOnDisk: (item) => filesWith(folder, `of ${item}`).length > 0,
    }),
  ],
  damaged: (random) => ({
    name: file,
    text: random.pick([`{"video":{"values":"${random.uuid()}`, JSON.stringify({ version: 99, value: random.uuid() })]),
  }),
};
