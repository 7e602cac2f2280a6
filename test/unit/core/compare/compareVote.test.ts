import assert from 'node:assert/strict';
import { blindOrder, blindStage, blindVote } from '../../../../src/core/compare/blindTurn.ts';
import { type ComparedReply, type ComparedTurn, Comparison } from '../../../../src/core/compare/comparison.ts';
import {
  type CompareVote,
  countedVotes,
  decodeVote,
  duelsOf,
  votesFor,
} from '../../../../src/core/compare/compareVote.ts';

const vote = (choice: CompareVote['choice'], more: Partial<CompareVote> = {}): CompareVote => ({
  type: 'voted',
  version: 1,
  comparison: 'k',
  turn: 't1',
  prompt: 'Name a bird',
  models: ['a', 'b', 'c'],
  choice,
  writer: 'w',
  at: 1,
  ...more,
});

describe('A vote', () => {
  it('for one reply is a duel won against each other model', () => {
    assert.deepEqual(duelsOf([vote({ kind: 'model', model: 'b' })]), [
      [
        { a: 'b', b: 'a', winner: 'a' },
        { a: 'b', b: 'c', winner: 'a' },
      ],
    ]);
  });

  it("for all of them is a draw between each pair, and for none doesn't count", () => {
    assert.deepEqual(
      duelsOf([vote({ kind: 'equal' })])[0]?.map(({ a, b, winner }) => `${a}${b} ${winner}`),
      ['ab equal', 'ac equal', 'bc equal'],
    );
    assert.deepEqual(duelsOf([vote({ kind: 'none' })]), []);
  });

  it('that is changed counts once, with its last value', () => {
    const votes = [vote({ kind: 'equal' }, { at: 2 }), vote({ kind: 'model', model: 'a' }, { models: ['a', 'b'] })];
    assert.deepEqual(duelsOf(votes).flat().length, 3);
    assert.deepEqual(duelsOf([...votes, vote({ kind: 'none' }, { at: 3 })]), []);
  });

  it('can be counted by its tag or its prompt', () => {
    const votes = [
      vote({ kind: 'equal' }, { turn: 't1', tag: 'birds' }),
      vote({ kind: 'none' }, { turn: 't2', tag: 'review', at: 2 }),
      vote({ kind: 'none' }, { turn: 't3', tag: 'review', prompt: 'Review this', at: 3 }),
      vote({ kind: 'none' }, { turn: 't4', prompt: 'Review this', at: 4 }),
      // The first one again: the last vote counts, with its tag.
      vote({ kind: 'none' }, { turn: 't1', tag: 'review', at: 5 }),
    ];
    const turns = (filter: Parameters<typeof votesFor>[1]) =>
      votesFor(votes, filter)
        .map(({ turn }) => turn)
        .toSorted();
    assert.deepEqual(turns({}), ['t1', 't2', 't3', 't4']);
    assert.deepEqual(turns({ tag: 'review' }), ['t1', 't2', 't3']);
    assert.deepEqual(turns({ tag: 'birds' }), []);
    assert.deepEqual(turns({ prompt: 'Review this' }), ['t3', 't4']);
    assert.deepEqual(countedVotes(votes, 'tag'), [{ name: 'review', votes: 3 }]);
    assert.deepEqual(countedVotes(votes, 'prompt'), [
      { name: 'Name a bird', votes: 2 },
      { name: 'Review this', votes: 2 },
    ]);
  });

  it('survives being saved and loaded, and other lines are skipped', () => {
    const line = vote({ kind: 'none' });
    assert.deepEqual(decodeVote(JSON.stringify(line)), line);
    // A server might use the path of the model's file.
    const path = `llama::/home/${'someone/'.repeat(100)}tiny.gguf`;
    const long = { ...line, models: ['a', path], choice: { kind: 'model', model: path } };
    assert.deepEqual(decodeVote(JSON.stringify(long)), long);
    assert.equal(decodeVote('{"type":"voted"'), undefined);
    assert.equal(decodeVote(JSON.stringify({ ...line, version: 2 })), undefined);
  });
});

describe('A blind question', () => {
  const columns = ['a', 'b', 'c'].map((id) => ({ id, model: `m/${id}` }));
  const turn: ComparedTurn = {
    id: 't1',
    at: 1,
    text: 'Name a bird',
    attachments: [],
    content: 'Name a bird',
    order: 'allAtOnce',
    columns: ['a', 'b', 'c'],
    isBlind: true,
  };
  const reply = (columnId: string, state: ComparedReply['state'], text = 'Kestrel'): ComparedReply => ({
    id: columnId,
    turnId: 't1',
    columnId,
    model: `m/${columnId}`,
    at: 1,
    text,
    reasoning: '',
    state,
  });
  const comparisonWith = (...replies: readonly ComparedReply[]): Comparison => {
    const comparison = new Comparison('k', columns);
    comparison.setTurn(turn);
    for (const each of replies) comparison.setReply(each);
    return comparison;
  };
  const none = new Set<string>();

  it('shows nothing until all replies are complete, and everything after the vote', () => {
    assert.equal(blindStage(comparisonWith(reply('a', 'done'), reply('b', 'running')), none), 'writing');
    assert.equal(blindStage(comparisonWith(reply('a', 'done'), reply('b', 'queued')), none), 'writing');
    const complete = comparisonWith(reply('a', 'done'), reply('b', 'stopped'));
    assert.equal(blindStage(complete, none), 'voting');
    assert.equal(blindStage(complete, new Set(['t1'])), 'off');
  });

  it('is over if fewer than two replies are left to vote on', () => {
    assert.equal(blindStage(comparisonWith(reply('a', 'done'), reply('b', 'failed')), none), 'off');
    assert.equal(blindStage(comparisonWith(reply('a', 'done'), reply('b', 'done', '')), none), 'off');
  });

  it("has an order that differs from the columns', and is always the same", () => {
    const orders = ['t1', 't2', 't3', 't4', 't5', 't6'].map((id) =>
      blindOrder(columns, id)
        .map((column) => column.id)
        .join(''),
    );
    assert.ok(new Set(orders).size > 1, orders.join());
    assert.deepEqual(blindOrder(columns, 't1'), blindOrder(columns.toReversed(), 't1'));
  });

  it('keeps the place of each column when others are added', () => {
    for (const turnId of ['t1', 't2', 't3', 't4', 't5', 't6']) {
      const drawn = blindOrder(columns, turnId).map(({ id }) => id);
      const more = [...columns, { id: 'd', model: 'm/d' }, { id: 'e', model: 'm/e' }];
      const then = blindOrder(more, turnId, drawn).map(({ id }) => id);
      assert.deepEqual(then.slice(0, drawn.length), drawn);
      assert.deepEqual(then.slice(drawn.length).toSorted(), ['d', 'e']);
    }
  });

  it('that is long is counted apart from another one that begins alike', () => {
    const voted = (text: string) => {
      const comparison = comparisonWith(reply('a', 'done'), reply('b', 'done'));
      comparison.setTurn({ ...turn, text });
      return blindVote(comparison, 'equal')?.prompt ?? assert.fail();
    };
    const template = 'Review this file. '.repeat(20);
    assert.notEqual(voted(`${template} one`), voted(`${template} two`));
    assert.equal(voted(`${template} one`), voted(`${template} one`));
    assert.ok(voted('x'.repeat(100_000)).length <= 300);
    assert.equal(voted('Name a bird'), 'Name a bird');
  });

  it('is voted on among the replies that could be selected', () => {
    const comparison = comparisonWith(reply('a', 'done'), reply('b', 'done'), reply('c', 'failed', ''));
    assert.deepEqual(blindVote(comparison, { columnId: 'b' }), {
      comparison: 'k',
      turn: 't1',
      prompt: 'Name a bird',
      models: ['m/a', 'm/b'],
      choice: { kind: 'model', model: 'm/b' },
    });
    assert.equal(blindVote(comparison, { columnId: 'c' }), undefined);
    assert.deepEqual(blindVote(comparison, 'none')?.choice, { kind: 'none' });
    assert.equal(blindVote(comparisonWith(reply('a', 'done')), 'equal'), undefined);
  });
});
