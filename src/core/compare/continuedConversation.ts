import * as l10n from '@vscode/l10n';
import { dataUrlBytes } from '../../api/operations/dataUrlBytes.ts';
import { imageMediaTypeOf } from '../../api/operations/imageMediaType.ts';
import type { ChatMessage } from '../../api/operations/chatCompletion.ts';
import type { Attachment, PictureAttachment } from '../../shared/attachment.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { ConversationRecord } from '../chat/conversationRecord.ts';
import { imageSize } from '../media/imageSize.ts';
import { pictureTokens } from '../chat/pictureTokens.ts';
import { sampleMetrics } from '../experiments/sampleMetrics.ts';
import type { Comparison } from './comparison.ts';

/** What a conversation needs to know about its window. */
export interface ContinuedBy {
  readonly writer: string;
  readonly pid: number;
  readonly newId: () => string;
}

/** A conversation that continues a comparison. */
export interface CarriedConversation {
  readonly records: readonly ConversationRecord[];
  /** The attachments of its questions. */
  readonly attachments: readonly Attachment[];
  /** The `data:` URLs of those without a file in the comparison, by ID. */
  readonly pictures: ReadonlyMap<string, string>;
}

/**
 * The questions and replies of one column, as a conversation that continues from there, including attachments.
 * @param shared the parameters of a column without its own
 */
export function continuedConversation(
  comparison: Comparison,
  columnId: string,
  shared: ChatOptions,
  { writer, pid, newId }: ContinuedBy,
): CarriedConversation {
  const column = comparison.column(columnId);
  const model = column?.model;
  const records: ConversationRecord[] = [];
  const attachments: Attachment[] = [];
  const pictures = new Map<string, string>();
  const written = (at: number) => ({ writer, at });
  const first = comparison.turns[0]?.at ?? 0;
  if (model !== undefined) {
    records.push({ type: 'optionsSet', options: { ...shared, ...column?.options, model }, ...written(first) });
  }
  for (const { role, content } of comparison.before) {
    if (role === 'user') ask(textOf(content), picturesIn(content, first), first);
    else records.push(...replied(newId(), { model: model ?? '', text: textOf(content), at: first }));
  }
  for (const turn of comparison.turns) {
    const reply = comparison.replyIn(turn, columnId);
    if (reply === undefined) continue;
    // Text and files were attached here. Everything from elsewhere is in the message itself.
    if (turn.attachments.length > 0) ask(turn.text, turn.attachments, turn.at);
    else ask(textOf(turn.content), picturesIn(turn.content, turn.at), turn.at);
    records.push(...replied(newId(), reply));
  }
  return { records, attachments, pictures };

  function ask(text: string, own: readonly Attachment[], at: number): void {
    attachments.push(...own);
    const carried = own.length > 0 && { attachments: [...own] };
    records.push({ type: 'asked', id: newId(), text, ...carried, ...written(at) });
  }

  function picturesIn(content: ChatMessage['content'], at: number): readonly PictureAttachment[] {
    if (typeof content === 'string') return [];
    return content.flatMap((part) => {
      const url = part.type === 'image_url' ? part.image_url.url : undefined;
      const made = url === undefined ? undefined : pictureOf(url, newId(), at);
      if (url === undefined || made === undefined) return [];
      pictures.set(made.id, url);
      return [made];
    });
  }

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

/** Undefined for an image that isn't in the message itself, or of a kind that chats don't store. */
function pictureOf(url: string, id: string, at: number): PictureAttachment | undefined {
  const bytes = dataUrlBytes(url);
  if (bytes === undefined) return undefined;
  const mediaType = imageMediaTypeOf(bytes);
  const size = imageSize(bytes);
  if (mediaType === undefined || mediaType === 'image/avif' || size === undefined) return undefined;
  const name = l10n.t('Image');
  const tokens = pictureTokens(size);
  return { kind: 'picture', id, name, detail: name, tokens, at, mediaType, ...size, bytes: bytes.length };
}

/** Without its images. */
export function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}
