import type { ModelRef } from '../../shared/modelRef.ts';
import type { ConversationRecord } from '../chat/conversationRecord.ts';
import { sampleMetrics } from '../experiments/sampleMetrics.ts';
import type { Comparison } from './comparison.ts';

/** What a conversation needs to know about its window. */
export interface ContinuedBy {
  readonly writer: string;
  readonly pid: number;
  readonly newId: () => string;
}

/**
 * The questions and replies of one column, as a conversation that continues from there. Attachments are part of the
 * questions' text, as they were sent. Images are left out.
 */
export function continuedConversation(
  comparison: Comparison,
  columnId: string,
  { writer, pid, newId }: ContinuedBy,
): readonly ConversationRecord[] {
  const model = comparison.column(columnId)?.model;
  const records: ConversationRecord[] = [];
  const written = (at: number) => ({ writer, at });
  const first = comparison.turns[0]?.at ?? 0;
  if (model !== undefined) records.push({ type: 'optionsSet', options: { model }, ...written(first) });
  for (const { role, content } of comparison.before) {
    if (role === 'user') records.push({ type: 'asked', id: newId(), text: textOf(content), ...written(first) });
    else records.push(...replied(newId(), { model: model ?? '', text: textOf(content), at: first }));
  }
  for (const turn of comparison.turns) {
    const reply = comparison.replies.find((each) => each.turnId === turn.id && each.columnId === columnId);
    if (reply === undefined || reply.text === '') continue;
    records.push({ type: 'asked', id: newId(), text: textOf(turn.content), ...written(turn.at) });
    records.push(...replied(newId(), reply));
  }
  return records;

  function replied(
    id: string,
    {
      model: asked,
      text,
      at,
      end,
      reasoning = '',
    }: Pick<Partial<Comparison['replies'][number]>, 'end' | 'reasoning'> & {
      readonly model: ModelRef;
      readonly text: string;
      readonly at: number;
    },
  ): readonly ConversationRecord[] {
    const { sample, finishReason, requestId } = end ?? {};
    const thought: readonly ConversationRecord[] =
      reasoning === ''
        ? []
        : [{ type: 'replyGrew', id, part: 'reasoning', offset: 0, text: reasoning, ...written(at) }];
    return [
      { type: 'replyStarted', id, model: asked, pid, ...written(at) },
      ...thought,
      { type: 'replyGrew', id, part: 'text', offset: 0, text, ...written(at) },
      {
        type: 'replyEnded',
        id,
        outcome: end?.outcome === 'stopped' || end?.outcome === 'incomplete' ? end.outcome : 'done',
        metrics: sample === undefined ? {} : sampleMetrics(sample),
        ...(finishReason !== undefined && { finishReason }),
        ...(requestId !== undefined && { requestId }),
        ...written(at + (sample?.totalMs ?? 0)),
      },
    ];
  }
}

function textOf(content: Comparison['turns'][number]['content']): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}
