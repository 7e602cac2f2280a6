import { Conversation } from '../../../../src/core/chat/conversation.ts';
import type { ConversationFact } from '../../../../src/core/chat/conversationRecord.ts';

const writer = 'w';

/** Texts of this many tokens: questions u1, u2… and their replies r1, r2… */
interface Turn {
  readonly question: number;
  readonly reply: number;
  readonly reasoning?: number;
  /** What the service counted: the request's tokens and the reply's. */
  readonly counted?: readonly [number, number];
  /** It dropped some of the request, which had so many tokens. */
  readonly sentAtLeast?: number;
}

/** A conversation over time: each record is 10 later than the one before it. */
export function countedConversation() {
  const conversation = new Conversation('c1');
  let at = 0;
  let turns = 0;
  const record = (fact: ConversationFact): void => conversation.apply({ ...fact, writer, at: (at += 10) });
  const say = ({ question, reply, reasoning = 0, counted, sentAtLeast }: Turn): void => {
    turns += 1;
    const id = `r${turns}`;
    record({ type: 'asked', id: `u${turns}`, text: 'x'.repeat(question * 4) });
    record({ type: 'replyStarted', id, model: 'm', pid: 1 });
    record({ type: 'replyGrew', id, part: 'reasoning', offset: 0, text: 'z'.repeat(reasoning * 4) });
    record({ type: 'replyGrew', id, part: 'text', offset: 0, text: 'y'.repeat(reply * 4) });
    if (counted === undefined) return;
    const [prompt, completion] = counted;
    const metrics = {
      promptTokens: { value: prompt, from: 'service' },
      completionTokens: { value: completion, from: 'service' },
    } as const;
    record({ type: 'replyEnded', id, outcome: 'done', metrics, ...(sentAtLeast !== undefined && { sentAtLeast }) });
  };
  return { conversation, record, say };
}
