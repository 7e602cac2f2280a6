import assert from 'node:assert/strict';
import {
  problemInColumn,
  problemOfComparison,
  problemOfInterruptedReply,
} from '../../../../src/core/problems/compareProblems.ts';
import { problemOf } from '../../../../src/core/problems/problemOf.ts';

describe('A compared reply whose window was closed', () => {
  const told = (host: string, inferenceLog?: string) =>
    problemOfInterruptedReply({
      host,
      pages: inferenceLog === undefined ? {} : { inferenceLog },
      hasPartialText: false,
      now: 0,
    });

  it('says that it might have been charged, and is sent again only by a button', () => {
    const { title, detail, actions } = told('inference.example');
    assert.deepEqual(
      [title, detail],
      ['Interrupted', 'The window closed before the response arrived. You might have been charged.'],
    );
    assert.deepEqual(
      actions.map(({ kind }) => kind),
      ['retry'],
    );
  });

  it('costs nothing on this computer', () => {
    assert.equal(told('localhost:8080').detail, 'The window closed before the response arrived.');
  });
});

describe('The problem of a compared reply', () => {
  it('has no button for a conversation in the chat', () => {
    const failure = { kind: 'contextTooLong', status: 413, message: 'Too long', body: 'json' } as const;
    const inChat = problemOf(failure, { pages: {}, hasPartialText: false, now: 0, model: 'm' });
    const kinds = ({ actions }: typeof inChat): readonly string[] => actions.map(({ kind }) => kind);
    assert.deepEqual(kinds(inChat), ['selectModel', 'newChat', 'openParameters']);
    assert.deepEqual(kinds(problemInColumn(inChat)), ['selectModel']);
  });
});

describe("The problem of a comparison that isn't sent", () => {
  const model = 'maker/one';

  it('says what is wrong with which model, what to do, and that the text was kept', () => {
    const { detail, actions } = problemOfComparison({ kind: 'cannotChat', model });
    assert.equal(
      detail,
      "maker/one doesn't support chat. Select another model. Nothing was sent, and your text was kept.",
    );
    assert.deepEqual(
      actions.map(({ kind }) => kind),
      ['selectModel'],
    );
    assert.match(
      problemOfComparison({ kind: 'overContextWindow', model, promptTokens: 20, contextWindow: 10 }, 'Kept.').detail,
      /^The prompt has .*20.+context window of maker\/one \(.+\)\. Remove something, or select another model\. Kept\.$/,
    );
    assert.equal(
      problemOfComparison({ kind: 'noPrice', model }, 'Kept.').detail,
      "maker/one has no price in the model list, so its cost can't be limited. Kept.",
    );
  });
});
