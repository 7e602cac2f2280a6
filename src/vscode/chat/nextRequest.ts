import type { ModelRef } from '../../shared/modelRef.ts';
import { effectiveOptions } from '../../core/chat/chatRequest.ts';
import type { ChatSession } from '../../core/chat/chatSession.ts';
import type { Conversation, Reply } from '../../core/chat/conversation.ts';
import { problemOfBlindModel } from '../../words/additionProblems.ts';
import { problemOfRunningReply } from '../../core/problems/conversationProblems.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { Problem } from '../../shared/problem.ts';
import type { ComposerModels } from '../attachments/composerModels.ts';
import { isWrittenElsewhere, type RepliesElsewhereDeps } from '../conversations/watchRepliesElsewhere.ts';
import type { Explainer } from '../problems/explainer.ts';

export interface NextRequestDeps extends RepliesElsewhereDeps {
  readonly chatDefaults: () => ChatOptions;
  /** @throws {ApiError} with a setup failure if no request can be made. */
  readonly checkSetup: (model: ModelRef | undefined) => Promise<unknown>;
  readonly explain: (failure: ApiFailure, reply?: Reply, conversation?: Conversation) => Problem;
  readonly explainer: Pick<Explainer, 'problemOfError'>;
  readonly attachments: { readonly models: Pick<ComposerModels, 'seesPictures'> };
}

interface NextRequest {
  readonly model: ModelRef;
  readonly options: ChatOptions;
}

/**
 * The model and options of a conversation's next request, or why there can't be one.
 * @param attachments sent with the question
 * @param wanted the model for this request only, if it isn't the conversation's
 */
export async function nextRequest(
  session: ChatSession,
  attachments: readonly Attachment[],
  deps: NextRequestDeps,
  wanted?: ModelRef,
): Promise<NextRequest | { readonly refused: Problem }> {
  const options = effectiveOptions(session.conversation.options, deps.chatDefaults());
  const model = wanted ?? options.model;
  try {
    await deps.checkSetup(model);
  } catch (error) {
    return { refused: deps.explainer.problemOfError(error, model === undefined ? {} : { model }) };
  }
  if (model === undefined) return { refused: deps.explain({ kind: 'setup', missing: 'model' }) };
  // Otherwise, half of the reply would be sent as if it were all of it.
  if (session.runningReplyId !== undefined) return { refused: problemOfRunningReply() };
  if (isWrittenElsewhere(session.conversation, deps)) return { refused: problemOfRunningReply(true) };
  const hasPicture = attachments.some(({ kind }) => kind === 'picture');
  // For older messages, a model without image input gets the text. A new question must not lose its image.
  if (hasPicture && deps.attachments.models.seesPictures(model) === false)
    return { refused: problemOfBlindModel(model) };
  return { model, options };
}
