import assert from 'node:assert/strict';
import { problemOfInterruptedReply } from '../../../../src/core/problems/compareProblems.ts';

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
