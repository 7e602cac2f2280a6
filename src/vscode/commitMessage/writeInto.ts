import type { ChatEvent } from '../../api/types.ts';
import { commitMessageIn } from '../../core/prompts/commitPrompt.ts';

export interface Written {
  /**
   * `left`: the user typed in the meantime, so the box is theirs again. `incomplete`: the reply was cut off, with the
   * service's reason in `finishReason`, if any.
   */
  readonly outcome: 'written' | 'incomplete' | 'empty' | 'left';
  /** The message so far. */
  readonly message: string;
  readonly finishReason?: string;
}

/** A box that is written with each token would undo most keystrokes of a user before they're known here. */
const writePauseMs = 200;

/**
 * Streams a message into a box. If anything fails or stops it, the box has its old text again. Text that a user types
 * in the meantime is never overwritten.
 * @param start starts the reply; its signal says that the reply is no longer wanted.
 * @param pauseMs the minimum between two values, apart from the last one
 */
export async function writeInto(
  box: { value: string },
  start: (leave: AbortSignal) => AsyncIterable<ChatEvent>,
  pauseMs = writePauseMs,
): Promise<Written> {
  const before = box.value;
  const leave = new AbortController();
  // VS Code echoes each value some time after it was written, so the box might have an older one for a while.
  const own = new Set<string>();
  const isOwn = (): boolean => (own.size === 0 ? box.value === before : own.has(box.value));
  let text = '';
  let isCut = false;
  let finishReason: string | undefined;
  let shown = '';
  let shownAt = -Infinity;
  const show = (message: string): void => {
    own.add(message);
    box.value = message;
    shown = message;
    shownAt = performance.now();
  };
  try {
    for await (const event of start(leave.signal)) {
      if (!isOwn()) return { outcome: 'left', message: commitMessageIn(text) };
      if (event.type === 'finish') finishReason = event.reason;
      if (event.type === 'end') isCut = !event.complete;
      if (event.type !== 'text') continue;
      text += event.text;
      const message = commitMessageIn(text);
      // Nothing is shown while there's only a fence.
      if (message !== '' && performance.now() - shownAt >= pauseMs) show(message);
    }
    const message = commitMessageIn(text);
    if (message === '') return { outcome: 'empty', message };
    if (!isOwn()) return { outcome: 'left', message };
    if (message !== shown) show(message);
    if (!isCut) return { outcome: 'written', message };
    return { outcome: 'incomplete', message, ...(finishReason !== undefined && { finishReason }) };
  } catch (error) {
    if (isOwn()) box.value = before;
    throw error;
  } finally {
    leave.abort();
  }
}
