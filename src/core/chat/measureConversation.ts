import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { ConversationLength, LargerModel } from '../../shared/conversationLength.ts';
import { mayChat } from '../models/modelAbilities.ts';
import type { Conversation } from './conversation.ts';
import { costOfUse, modelUse } from './modelUse.ts';
import type { WaysOut } from '../problems/problemDraft.ts';
import { lineStops, sentMessages } from './sentMessages.ts';

const offeredModels = 2;
/** Share of the current model's context window. Below it, switching isn't worthwhile. */
const roomierBy = 1.5;

/** What the model list says about prices and context windows. */
export interface KnownModels {
  /** Those that can be offered. */
  readonly models: readonly ModelInfo[];
  find(id: string): ModelInfo | undefined;
  /** In tokens. */
  contextWindowOf(id: string): number | undefined;
}

/** How much of a conversation is sent to this model, what that costs, and which models have more room. */
export function measureConversation(
  conversation: Pick<Conversation, 'messages' | 'everyEnd' | 'sentFrom'>,
  model: ModelRef | undefined,
  known: KnownModels,
): ConversationLength {
  const messages = conversation.messages();
  const sent = sentMessages(messages, conversation.sentFrom);
  const leftOut = messages.length - sent.length;
  const inputPerMillion = model === undefined ? undefined : known.find(model)?.inputPricePerMillion;
  const spent = costOfUse(modelUse(conversation.everyEnd()), known);
  return {
    leftOut,
    ...(leftOut > 0 && sent[0] !== undefined && { sentFrom: sent[0].id }),
    ...(inputPerMillion !== undefined && { inputPerMillion }),
    ...(spent !== undefined && { spent }),
    larger: model === undefined ? [] : largerModels(model, known),
  };
}

/** What can be done if the conversation was too long for this model. */
export function waysOut(
  conversation: Pick<Conversation, 'messages' | 'sentFrom'>,
  model: ModelRef,
  known: KnownModels,
): WaysOut {
  const messages = conversation.messages();
  const sent = sentMessages(messages, conversation.sentFrom);
  return {
    larger: largerModels(model, known),
    canSummarize: sent.some(({ role, text }) => role === 'assistant' && text !== ''),
    canLeaveOut: lineStops(sent).length > 1,
    hasLeftOut: sent.length < messages.length,
  };
}

function largerModels(model: ModelRef, known: KnownModels): readonly LargerModel[] {
  const least = (known.contextWindowOf(model) ?? Infinity) * roomierBy;
  const { service } = refParts(model);
  return known.models
    .filter((each) => each.id !== model && mayChat(each))
    .map((each) => ({
      id: each.id,
      contextWindow: known.contextWindowOf(each.id) ?? 0,
      price: each.inputPricePerMillion ?? Infinity,
      // The user might not want to send the conversation to another service.
      distance: refParts(each.id).service === service ? 0 : 1,
    }))
    .filter(({ contextWindow }) => contextWindow >= least)
    .toSorted((a, b) => a.distance - b.distance || order(a.price, b.price) || order(a.contextWindow, b.contextWindow))
    .slice(0, offeredModels)
    .map(({ id, contextWindow }) => ({ id, contextWindow }));
}

function order(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
