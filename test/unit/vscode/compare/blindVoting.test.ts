import assert from 'node:assert/strict';
import type { CompareVote } from '../../../../src/core/compare/compareVote.ts';
import { Comparison } from '../../../../src/core/compare/comparison.ts';
import type { ToCompareHost } from '../../../../src/shared/protocol/compareProtocol.ts';
import { type BlindRequests, BlindVoting } from '../../../../src/vscode/compare/blindVoting.ts';

const columns = ['a', 'b'].map((id) => ({ id, model: `m/${id}` }));

const nothing = () => undefined;
const noRequests = { leave: nothing, release: nothing, hasQuestion: () => true };

/** Once all have replied to the last question. Nothing of it is drawn here. */
function votingOn(
  isBlind: boolean,
  comparison = new Comparison('k', columns),
  requests: BlindRequests = noRequests,
): BlindVoting {
  const voting = new BlindVoting(comparison, undefined as never, requests);
  const text = 'Name a bird';
  const turn = { id: 't', at: 1, text, attachments: [], content: text, order: 'allAtOnce', isBlind } as const;
  comparison.setTurn({ ...turn, columns: ['a', 'b'] });
  for (const { id, model } of comparison.columns) {
    const reply = {
      id,
      turnId: 't',
      columnId: id,
      model,
      at: 1,
      text: 'Kestrel',
      reasoning: '',
      state: 'done',
    } as const;
    comparison.setReply(reply);
  }
  voting.update();
  return voting;
}

describe('While replies are blind, a page', () => {
  const telling: readonly ToCompareHost[] = [
    { type: 'closeColumn', columnId: 'a' },
    { type: 'chooseModel', columnId: 'a' },
    { type: 'runAction', action: 'selectModel', replyId: 'a' },
    { type: 'exportComparison' },
    { type: 'actOnReply', replyId: 'a', act: 'apply' },
    { type: 'actOnReply', replyId: 'a', act: 'compareText' },
    { type: 'actOnReply', replyId: 'a', act: 'continueInChat' },
    { type: 'setTo', columnId: 'a' },
    { type: 'compare', text: 'Why?', attachments: [], to: 'a' },
    { type: 'askColumn', columnId: 'a' },
    { type: 'runAction', action: 'useModel', replyId: 'a', model: 'm/c' },
  ];
  const plain: readonly ToCompareHost[] = [
    { type: 'ready' },
    { type: 'chooseModel' },
    { type: 'stop' },
    { type: 'setTo' },
    { type: 'compare', text: 'Why?', attachments: [] },
    { type: 'vote', turnId: 't', choice: 'equal' },
    { type: 'actOnReply', replyId: 'a', act: 'copy' },
    { type: 'actOnReply', replyId: 'a', act: 'insert' },
  ];

  it('allows nothing that would reveal which model wrote which reply, and everything after the vote', () => {
    const voting = votingOn(true);
    assert.equal(voting.stage, 'voting');
    for (const message of telling) assert.ok(voting.refuses(message), JSON.stringify(message));
    for (const message of plain) assert.ok(!voting.refuses(message), JSON.stringify(message));
    voting.voted({ turn: 't' }, 'equal');
    assert.deepEqual(voting.given, { turnId: 't', choice: 'equal' });
    for (const message of telling) assert.ok(!voting.refuses(message), JSON.stringify(message));
    assert.ok(telling.every((message) => !votingOn(false).refuses(message)));
  });

  it('still hides the next question if the vote on the one before is stored only then', () => {
    const comparison = new Comparison('k', columns);
    const voting = votingOn(true, comparison);
    const vote = voting.voteOn('t', { columnId: 'a' }, 'birds');
    assert.equal(vote?.turn, 't');
    const text = 'Name another one';
    const next = { id: 't2', at: 2, text, attachments: [], content: text, order: 'allAtOnce', isBlind: true } as const;
    comparison.setTurn({ ...next, columns: ['a', 'b'] });
    voting.voted(vote, { columnId: 'a' });
    assert.deepEqual([voting.stage, voting.tag], ['writing', 'birds']);
  });

  it('still hides the last question after a reload before the vote, but none before it', () => {
    const comparison = new Comparison('k', columns);
    votingOn(true, comparison);
    const left: unknown[] = [];
    const requests = { ...noRequests, leave: (turns: readonly string[]) => void left.push(turns) };
    const restored = new BlindVoting(comparison, undefined as never, requests, 't');
    restored.update();
    assert.equal(restored.stage, 'voting');
    assert.equal(restored.voteOn('t', { columnId: 'a' }, '')?.turn, 't');
    assert.deepEqual(left, [[]]);
    const opened = new BlindVoting(comparison, undefined as never, requests);
    opened.update();
    assert.equal(opened.stage, 'off');
    assert.deepEqual(left, [[], ['t']]);
  });

  it('ends when another window has voted, and not before', () => {
    let isWithheld = true;
    const requests = { ...noRequests, hasQuestion: () => isWithheld };
    const voting = votingOn(true, new Comparison('k', columns), requests);
    assert.deepEqual([voting.updateFromOthers(), voting.stage], [false, 'voting']);
    isWithheld = false;
    assert.deepEqual([voting.updateFromOthers(), voting.stage], [true, 'off']);
    assert.equal(voting.voteOn('t', 'equal', ''), undefined);
    assert.equal(voting.updateFromOthers(), false);
  });

  it('releases its requests with the vote, and only leaves them to other windows if its tab is closed before', () => {
    const told: unknown[] = [];
    const requests = {
      ...noRequests,
      leave: (turns: readonly string[]) => void (turns.length > 0 && told.push(['leave', ...turns])),
      release: (turns: readonly string[]) => void told.push(['release', ...turns]),
    };
    votingOn(true, new Comparison('k', columns), requests).giveUp();
    assert.deepEqual(told.splice(0), [['leave', 't']]);
    votingOn(true, new Comparison('k', columns), requests).voted({ turn: 't' }, 'none');
    assert.deepEqual(told[0], ['release', 't']);
  });

  it("ends with a vote between parameters of one model, which isn't stored", () => {
    const twice = columns.map(({ id }) => ({ id, model: 'm/a', options: { temperature: id === 'a' ? 0 : 1 } }));
    const voting = votingOn(true, new Comparison('k', twice));
    assert.deepEqual([voting.stage, voting.voteOn('t', { columnId: 'a' }, '')], ['voting', undefined]);
    assert.deepEqual([voting.isUncounted('t'), voting.isUncounted('an earlier one')], [true, false]);
    assert.equal(votingOn(true).isUncounted('t'), false);
    voting.voted({ turn: 't' }, { columnId: 'b' });
    assert.deepEqual([voting.stage, voting.isUncounted('t')], ['off', false]);
  });

  it("isn't blind again when a failed reply, which revealed the models, is retried", () => {
    const comparison = new Comparison('k', columns);
    const voting = votingOn(true, comparison);
    const [a] = comparison.replies;
    assert.ok(a);
    comparison.setReply({ ...a, state: 'failed' });
    voting.update();
    assert.equal(voting.stage, 'off');
    for (const state of ['running', 'done'] as const) {
      comparison.setReply({ ...a, state });
      voting.update();
      assert.equal(voting.stage, 'off', state);
    }
    assert.equal(voting.hides({ id: 't', isBlind: true }), false);
    assert.equal(voting.voteOn('t', 'equal', ''), undefined);
  });

  it('counts no vote on a question that is no longer the last one', () => {
    const comparison = new Comparison('k', columns);
    const voting = votingOn(true, comparison);
    assert.equal(voting.voteOn('an earlier one', 'equal', ''), undefined);
    assert.equal(voting.voteOn('t', 'equal', '')?.turn, 't');
  });
});

describe('The vote on the last question', () => {
  const comparison = new Comparison('k', columns);
  const stored: Omit<CompareVote, 'choice'> = {
    type: 'voted',
    version: 1,
    comparison: 'k',
    turn: 't',
    prompt: 'Name a bird',
    models: ['m/a', 'm/b'],
    writer: 'w',
    at: 1,
  };
  const reopened = () => new BlindVoting(comparison, undefined as never, noRequests);
  const other: CompareVote = { ...stored, turn: 'earlier', choice: { kind: 'none' } };

  before(() => {
    votingOn(true, comparison);
  });

  it('is known after a reload, with its tag, but not how the reply was shown', () => {
    const voting = reopened();
    voting.recall([
      { ...stored, choice: { kind: 'equal' } },
      { ...stored, tag: 'birds', choice: { kind: 'model', model: 'm/b' } },
      other,
    ]);
    assert.deepEqual(voting.given, { turnId: 't', choice: { columnId: 'b' } });
    assert.equal(voting.tag, 'birds');
    const equal = reopened();
    equal.recall([{ ...stored, choice: { kind: 'equal' } }]);
    assert.deepEqual(equal.given, { turnId: 't', choice: 'equal' });
  });

  it("isn't taken from another comparison or question, nor known before it's given", () => {
    const voting = reopened();
    voting.recall([other, { ...stored, comparison: 'l', choice: { kind: 'equal' } }]);
    assert.equal(voting.given, undefined);
    const unvoted = new BlindVoting(comparison, undefined as never, noRequests, 't');
    unvoted.recall([{ ...stored, choice: { kind: 'equal' } }]);
    assert.equal(unvoted.given, undefined);
  });
});
