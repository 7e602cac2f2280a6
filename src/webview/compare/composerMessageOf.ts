import type { ToHost } from '../../shared/chatProtocol.ts';
import { type ComposerMessage, composerMessages } from '../../shared/compareProtocol.ts';

/** The composer's message, if it applies to a comparison. */
export function composerMessageOf(message: ToHost): ComposerMessage | undefined {
  return isOfComposer(message) ? message : undefined;
}

function isOfComposer(message: ToHost): message is ComposerMessage {
  return composerMessages.some((type) => type === message.type);
}
