import assert from 'node:assert/strict';
import { Comparison } from '../../../../src/core/compare/comparison.ts';
import type { ToCompareHost } from '../../../../src/shared/compareProtocol.ts';
import { BlindVoting } from '../../../../src/vscode/compare/blindVoting.ts';

const columns = ['a', 'b'].map((id) => ({ id, model: `m/${id}` }));

/** Once both have replied to the last question. Nothing is drawn of it here. */
function votingOn(isBlind: boolean): BlindVoting {
  const comparison = new Comparison('k', columns);
  const voting = new BlindVoting(comparison, undefined as never);
  const text = 'Name a bird';
  const turn = { id: 't', at: 1, text, attachments: [], content: text, order: 'allAtOnce', isBlind } as const;
  comparison.setTurn({ ...turn, columns: ['a', 'b'] });
  for (const { id, model } of columns) {
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
  ];
  const plain: readonly ToCompareHost[] = [
    { type: 'ready' },
    { type: 'chooseModel' },
    { type: 'stop' },
    { type: 'vote', choice: 'equal' },
    { type: 'actOnReply', replyId: 'a', act: 'copy' },
    { type: 'actOnReply', replyId: 'a', act: 'insert' },
  ];

  it('allows nothing that would reveal which model wrote which reply, and everything after the vote', () => {
    const voting = votingOn(true);
    assert.equal(voting.stage, 'voting');
    for (const message of telling) assert.ok(voting.refuses(message), JSON.stringify(message));
    for (const message of plain) assert.ok(!voting.refuses(message), JSON.stringify(message));
    voting.voted('');
    for (const message of telling) assert.ok(!voting.refuses(message), JSON.stringify(message));
    assert.ok(telling.every((message) => !votingOn(false).refuses(message)));
  });
});
