/** The end of a block of reasoning, on a line of its own. */
const closed = /^(?:<\/think(?:ing)?>|<\/thought>|\[\/THINK\])[ \t]*$/m;
/** A block that was begun: its end belongs to it. */
const opened = /<think(?:ing)?>|<thought>|\[THINK\]/;
const fence = /^ {0,3}(?:```|~~~)/gm;

/** A reply in two parts. */
export interface SplitReply {
  readonly reasoning: string;
  readonly text: string;
}

/**
 * Separates reasoning of which only the end is marked. The templates of some models (Qwen3-Thinking, DeepSeek-R1) begin
 * the block themselves, so a server that doesn't look for reasoning sends its end alone. Only a complete reply shows
 * it: until then the reasoning looks like the reply.
 */
export function splitUnopenedThoughts(reply: string): SplitReply {
  const end = closed.exec(reply);
  const before = end === null ? '' : reply.slice(0, end.index);
  // In an open block of code, the mark is what the reply is about.
  const isInCode = (before.match(fence)?.length ?? 0) % 2 === 1;
  if (end === null || isInCode || opened.test(before)) return { reasoning: '', text: reply };
  return { reasoning: before.trim(), text: reply.slice(end.index + end[0].length).trimStart() };
}
