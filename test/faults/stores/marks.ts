import { basename } from 'node:path';
import { MarksFiles } from '../../../src/vscode/models/marksFiles.ts';
import { serviceFile } from '../../../src/vscode/service/serviceFile.ts';
import { checkSet, type StoreUnderTest } from '../storeUnderTest.ts';
import { outcomeOf, waitForRetries } from './settling.ts';

const service = 'https://service.test/v1';

interface Mark {
  readonly list: 'favorites' | 'hidden';
  readonly model: string;
  readonly isOn: boolean;
}

type Seen = Readonly<Record<Mark['list'], readonly string[]>>;

export const marks: StoreUnderTest<Mark, Seen> = {
  name: 'favorites',
  files: /^[0-9a-f]{16}\.marks\.json$/,
  operation(random, _window, before) {
    const marked = before.filter(({ op }) => op.isOn);
    if (marked.length > 0 && random.chance(0.35)) return { ...random.pick(marked).op, isOn: false };
    return { list: random.pick(['favorites', 'hidden']), model: `made/${random.uuid()}`, isOn: true };
  },
  open(setting) {
    const store = new MarksFiles(setting.folder, setting.report);
    return Promise.resolve({
      run: async ({ list, model, isOn }) => ({
        outcome: await outcomeOf(setting, () =>
          store.change(service, (kept) => {
            const others = kept[list].filter((each) => each !== model);
            return { ...kept, [list]: isOn ? [...others, model] : others };
          }),
        ),
      }),
      settle: () => waitForRetries(() => store.read(service)),
      close: () => Promise.resolve(),
    });
  },
  async look({ folder, report }) {
    const { favorites, hidden } = await new MarksFiles(folder, report).read(service);
    return { favorites, hidden };
  },
  check: (done, seen) =>
    checkSet(done, {
      added: ({ isOn, list, model }) => (isOn ? `${list} ${model}` : undefined),
      removes: (op, item) => !op.isOn && `${op.list} ${op.model}` === item,
      isThere: (item) => {
        const [list = '', model = ''] = item.split(' ');
        return seen[list as Mark['list']].includes(model);
      },
    }),
  damaged: (random) => ({
    name: basename(serviceFile('', service, '.marks.json')),
    text: random.pick([
      `{"favorites":["${random.uuid()}"`,
      JSON.stringify({ version: 99, value: random.uuid() }),
      JSON.stringify([random.uuid()]),
    ]),
  }),
};
