import { VoteStore } from '../../../src/vscode/models/voteStore.ts';
import { checkSet, filesWith, type StoreUnderTest } from '../storeUnderTest.ts';

type Voting =
  | { readonly type: 'vote'; readonly comparison: string; readonly prompt: string }
  | { readonly type: 'remove'; readonly comparison: string };

const comparisons = ['c1', 'c2'];

export const votes: StoreUnderTest<Voting, readonly string[]> = {
  name: 'votes',
  files: /^c[12]\.jsonl$/,
  operation(random, _window, before) {
    const comparison = random.pick(comparisons);
    if (before.length > 0 && random.chance(0.25)) return { type: 'remove', comparison };
    return { type: 'vote', comparison, prompt: random.uuid() };
  },
  open({ folder, report }) {
    const store = new VoteStore(folder, report);
    return Promise.resolve({
      run: async (op) => {
        try {
          if (op.type === 'remove') await store.remove(op.comparison);
          else {
            const { comparison, prompt } = op;
            await store.add({ comparison, turn: prompt, prompt, models: ['a', 'b'], choice: { kind: 'equal' } });
          }
          return { outcome: 'saved' };
        } catch {
          // Reported to the voter, and not kept to be saved later.
          return { outcome: 'refused' };
        }
      },
      settle: () => Promise.resolve(true),
      close: () => Promise.resolve(),
    });
  },
  look: async ({ folder, report }) => (await new VoteStore(folder, report).all()).map(({ prompt }) => prompt),
  check: (done, seen, folder) =>
    checkSet(done, {
      added: (op) => (op.type === 'vote' ? op.prompt : undefined),
      removes: (op, item) =>
        op.type === 'remove' &&
        done.some((each) => each.op.type === 'vote' && each.op.prompt === item && each.op.comparison === op.comparison),
      isThere: (item) => seen.includes(item),
      isOnDisk: (item) => filesWith(folder, item).length > 0,
    }),
};
