import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import {
  type ChatOperation,
  chatCompletion,
  type ChatRequest,
  withUsualNames,
} from '../../api/operations/chatCompletion.ts';
import type { WholeOperation } from '../../api/operations/operation.ts';
import { withoutContexts } from '../../api/service/lostContexts.ts';
import { modelLabel } from '../../words/modelLabel.ts';

/** An operation of the service, as request history describes it. */
export type RequestOperation = 'chat' | 'multimodalChat' | 'video' | 'image' | 'audio' | 'catalog';

interface OperationRow {
  readonly word: () => string;
  /** `reply`: a model's text. `file`: a response that might be a file. `list`: of models. */
  readonly gives: 'reply' | 'file' | 'text' | 'list';
  readonly sends: 'json' | 'form';
  /**
   * Recreates the operation from the stored body. Absent if that isn't everything that was sent: an audio file isn't
   * stored. Loaded when needed, because every window with Parlance open loads this file.
   * @param isForeign it goes to another model or service than before.
   */
  readonly again?: (
    body: object,
    isForeign: boolean,
  ) => Promise<ChatOperation | WholeOperation<unknown, RequestOperation>>;
  /** The question before it's run again, because each run is charged like the first one. */
  readonly askAgain?: (model: ModelRef) => string;
}

const mediaSchema = v.looseObject({ model: v.string() });
const chatSchema = v.looseObject({ model: v.string(), messages: v.array(v.any()), stream: v.boolean() });
const chatAgain = (body: object, isForeign: boolean) => {
  // Parlance added it, as it does again where the service needs it.
  const { stream_options: _, ...asked } = v.parse(chatSchema, body);
  const request = withUsualNames<ChatRequest>(asked);
  const { messages } = request;
  return Promise.resolve(chatCompletion({ ...request, messages: isForeign ? withoutContexts(messages) : messages }));
};

/** Everything that request history and its commands need to know about each operation. */
export const requestOperations: Readonly<Record<RequestOperation, OperationRow>> = {
  chat: { word: () => l10n.t('Chat'), gives: 'reply', sends: 'json', again: chatAgain },
  multimodalChat: { word: () => l10n.t('Chat with images'), gives: 'reply', sends: 'json', again: chatAgain },
  video: {
    word: () => l10n.t('Video'),
    gives: 'file',
    sends: 'json',
    again: async (body) => {
      const { videoGeneration } = await import('../../api/operations/videoGeneration.ts');
      return videoGeneration(v.parse(mediaSchema, body));
    },
    askAgain: (model) => l10n.t('Generate another video with {0}?', modelLabel(model)),
  },
  image: {
    word: () => l10n.t('Image'),
    gives: 'file',
    sends: 'json',
    again: async (body) => {
      const { imageGeneration, imageRequestOf } = await import('../../api/operations/imageGeneration.ts');
      return imageGeneration(imageRequestOf(v.parse(mediaSchema, body)));
    },
    askAgain: (model) => l10n.t('Generate another image with {0}?', modelLabel(model)),
  },
  audio: { word: () => l10n.t('Transcription'), gives: 'text', sends: 'form' },
  catalog: {
    word: () => l10n.t('Model list'),
    gives: 'list',
    sends: 'json',
    again: async () => (await import('../../api/operations/listModels.ts')).listModels,
  },
};

export function givesReply({ operation }: { readonly operation: RequestOperation }): boolean {
  return requestOperations[operation].gives === 'reply';
}
