import type { ToHost } from '../../shared/protocol/chatProtocol.ts';
import { type ComposerMessage, composerMessages } from '../../shared/protocol/compareProtocol.ts';

/** The composer's message, if it applies to a comparison. */
export function composerMessageOf(message: ToHost): ComposerMessage | undefined {
  return isOfComposer(message) ? message : undefined;
}

function isOfComposer(message: ToHost): message is ComposerMessage {
  return composerMessages.some((type) => type === message.type);
}
