import assert from 'node:assert/strict';
import { comparedQuestion } from '../../../../src/core/compare/comparedQuestion.ts';
import { countedConversation } from '../chat/countedConversation.ts';

describe('The question behind a reply', () => {
  const attachments = { read: () => assert.fail('nothing is attached'), seesPictures: () => undefined };

  async function rolesFor(replyId: string, { conversation }: ReturnType<typeof countedConversation>) {
    const question = await comparedQuestion(conversation, replyId, attachments);
    return question?.before.map(({ role, content }) => `${role} ${String(content.length)}`);
  }

  it('is asked without what is left out of the conversation, or was deleted', async () => {
    const made = countedConversation();
    for (const question of [1, 2, 3]) made.say({ question, reply: question });
    assert.deepEqual(await rolesFor('r3', made), ['user 4', 'assistant 4', 'user 8', 'assistant 8']);
    made.record({ type: 'sentFrom', id: 'u2' });
    assert.deepEqual(await rolesFor('r3', made), ['user 8', 'assistant 8']);
    made.record({ type: 'removed', ids: ['r2'] });
    assert.deepEqual(await rolesFor('r3', made), ['user 8']);
    made.record({ type: 'sentFrom', id: 'u3' });
    assert.deepEqual(await rolesFor('r3', made), []);
  });

  it('is asked alone if it was left out of the conversation with everything before it', async () => {
    const made = countedConversation();
    for (const question of [1, 2, 3]) made.say({ question, reply: question });
    made.record({ type: 'sentFrom', id: 'u3' });
    assert.deepEqual(await rolesFor('r2', made), []);
    assert.deepEqual(await rolesFor('r1', made), []);
  });

  it('has its own images even if the model that replied is known not to accept any, unlike older questions', async () => {
    const { conversation, record } = countedConversation();
    for (const turn of [1, 2]) {
      const [id, name] = [`p${turn}`, `${turn}.png`];
      const file = { kind: 'picture', mediaType: 'image/png', id, name, detail: '', tokens: 3, at: 1 } as const;
      const picture = { ...file, width: 2, height: 1, bytes: 9 };
      record({ type: 'asked', id: `u${turn}`, text: 'What is it?', attachments: [picture] });
      record({ type: 'replyStarted', id: `r${turn}`, model: 'm', pid: 1 });
    }
    const read = ({ id }: { readonly id: string }) => Promise.resolve(`data:${id}`);
    const question = await comparedQuestion(conversation, 'r2', { read, seesPictures: () => false });
    assert.deepEqual(question?.before, [{ role: 'user', content: '[Picture: 1.png]\n\nWhat is it?' }]);
    assert.deepEqual(question.content, [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: 'data:p2' } },
    ]);
  });
});
