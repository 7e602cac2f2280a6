import type { ChatEvent } from '../../api/types.ts';
import { commitMessageIn } from '../../core/prompts/commitPrompt.ts';

export interface Written {
  /**
   * `left`: the person typed meanwhile, so the box is theirs again. `incomplete`: the reply was cut, and `finishReason`
   * says why where the service named a reason.
   */
  readonly outcome: 'written' | 'incomplete' | 'empty' | 'left';
  /** What the reply says, as far as it came. */
  readonly message: string;
  readonly finishReason?: string;
}

/**
 * Streams a message into a box. Whatever fails or stops it, the box has what stood there before; what a
 * person types meanwhile is never written over.
 *
 * @param start begins the reply; the signal says that it is no longer wanted.
 */
export async function writeInto(
  box: { value: string },
  start: (leave: AbortSignal) => AsyncIterable<ChatEvent>,
): Promise<Written> {
  const before = box.value;
  const leave = new AbortController();
  // VS Code hands each value back some time after it was written, so an older one may stand in the box for a while.
  const own = new Set<string>();
  const isOwn = (): boolean => (own.size === 0 ? box.value === before : own.has(box.value));
  let text = '';
  let isCut = false;
  let finishReason: string | undefined;
  try {
    for await (const event of start(leave.signal)) {
      if (!isOwn()) return { outcome: 'left', message: commitMessageIn(text) };
      if (event.type === 'finish') finishReason = event.reason;
      if (event.type === 'end') isCut = !event.complete;
      if (event.type !== 'text') continue;
      text += event.text;
      const message = commitMessageIn(text);
      // Nothing is shown that is only a fence so far.
      if (message === '') continue;
      own.add(message);
      box.value = message;
    }
    const message = commitMessageIn(text);
    if (message === '') return { outcome: 'empty', message };
    if (!isCut) return { outcome: 'written', message };
    return { outcome: 'incomplete', message, ...(finishReason !== undefined && { finishReason }) };
  } catch (error) {
    if (isOwn()) box.value = before;
    throw error;
  } finally {
    leave.abort();
  }
}
