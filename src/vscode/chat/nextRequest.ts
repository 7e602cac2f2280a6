import { effectiveOptions } from '../../core/chat/chatRequest.ts';
import type { ChatSession } from '../../core/chat/chatSession.ts';
import type { Reply } from '../../core/chat/conversation.ts';
import { problemOfBlindModel } from '../../core/problems/attachmentProblems.ts';
import { problemOfRunningReply } from '../../core/problems/conversationProblems.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { Problem } from '../../shared/problem.ts';

export interface NextRequestDeps {
  readonly chatDefaults: () => ChatOptions;
  /** @throws {ApiError} with a setup failure when a request could not be made at all. */
  readonly checkSetup: () => Promise<unknown>;
  readonly explain: (failure: ApiFailure, reply?: Reply) => Problem;
  /** For what was caught: a bug of ours is logged and shown as unexpected. */
  readonly explainError: (error: unknown) => Problem;
  /** Undefined where nobody knows. */
  readonly seesPictures: (model: string) => boolean | undefined;
}

interface NextRequest {
  readonly model: string;
  readonly options: ChatOptions;
}

/**
 * What the next request of a conversation goes with, or why there can't be one.
 *
 * @param attachments what goes with the question that is to be answered
 */
export async function nextRequest(
  session: ChatSession,
  attachments: readonly Attachment[],
  deps: NextRequestDeps,
): Promise<NextRequest | { readonly refused: Problem }> {
  try {
    await deps.checkSetup();
  } catch (error) {
    return { refused: deps.explainError(error) };
  }
  const options = effectiveOptions(session.conversation.options, deps.chatDefaults());
  const { model } = options;
  if (model === undefined) return { refused: deps.explain({ kind: 'setup', missing: 'model' }) };
  if (session.runningReplyId !== undefined) return { refused: problemOfRunningReply() };
  const hasPicture = attachments.some(({ kind }) => kind === 'picture');
  // Of older messages a blind model gets the words; what is asked now must not lack what it speaks of.
  if (hasPicture && deps.seesPictures(model) === false) return { refused: problemOfBlindModel(model) };
  return { model, options };
}
