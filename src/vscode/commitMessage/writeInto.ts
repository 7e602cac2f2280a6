import type { ChatEvent } from '../../api/types.ts';
import { commitMessageIn } from '../../core/commitPrompt.ts';

/** `left`: the person typed meanwhile, so the box is theirs again. */
export type WriteOutcome = 'written' | 'empty' | 'left';

/**
 * Streams a message into a box. Whatever ends it early, the box has what stood there before; what a
 * person types meanwhile is never written over.
 *
 * @param start begins the reply; the signal says that it is no longer wanted.
 */
export async function writeInto(
  box: { value: string },
  start: (leave: AbortSignal) => AsyncIterable<ChatEvent>,
): Promise<WriteOutcome> {
  const before = box.value;
  const leave = new AbortController();
  let written = before;
  let text = '';
  try {
    for await (const event of start(leave.signal)) {
      if (box.value !== written) return 'left';
      if (event.type !== 'text') continue;
      text += event.text;
      const message = commitMessageIn(text);
      // Nothing is shown that is only a fence so far.
      if (message === '') continue;
      box.value = message;
      written = box.value;
    }
    return commitMessageIn(text) === '' ? 'empty' : 'written';
  } catch (error) {
    if (box.value === written) box.value = before;
    throw error;
  } finally {
    leave.abort();
  }
}
