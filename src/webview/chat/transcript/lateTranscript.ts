import type { ToPage } from '../../../shared/protocol/chatProtocol.ts';
import { loadMarkdown } from '../../markdown/markdownChunk.ts';
import type * as Parts from './transcriptParts.ts';

let loaded: typeof Parts | undefined;
let loading: Promise<void> | undefined;

/** Loads what shows messages, which an empty chat doesn't wait for. */
export function loadTranscript(): Promise<void> {
  return (loading ??= load());
}

async function load(): Promise<void> {
  [loaded] = await Promise.all([import('./transcriptParts.ts'), loadMarkdown()]);
}

/** Whether this can bring the first message, so that it's handled after {@link loadTranscript}. */
export function bringsMessages(message: ToPage): boolean {
  return message.type === 'messageAdded' || (message.type === 'snapshot' && message.snapshot.messages.length > 0);
}

/** Not before {@link loadTranscript}. */
export function transcriptParts(): typeof Parts {
  if (loaded === undefined) throw new Error('What shows messages is not loaded yet');
  return loaded;
}
