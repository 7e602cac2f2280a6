import assert from 'node:assert/strict';
import { problemInColumn, problemOfInterruptedReply } from '../../../../src/core/problems/compareProblems.ts';
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
