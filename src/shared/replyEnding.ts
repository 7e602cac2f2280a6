/**
 * Finish reasons that mean the model had said all it wanted to: the specification's `stop`, and what other
 * services send in its place. In lower case.
 */
const wholeReasons: ReadonlySet<string> = new Set([
  'stop',
  'eos',
  'eos_token',
  'end_turn',
  'stop_sequence',
  'complete',
  'tool_calls',
  'tool_use',
  'function_call',
]);

/**
 * The one definition of a complete reply: everything that puts a reply's text to use, or tells a person how it
 * ended, asks here. A finish reason that isn't known to mean "done" means the text may be cut anywhere.
 *
 * @param finishReason as the service sent it; undefined where the stream ended properly without one.
 */
export function isWholeEnding(finishReason: string | undefined): boolean {
  return finishReason === undefined || wholeReasons.has(finishReason.toLowerCase());
}

/** The reply ran into its maximum length. */
export function isLengthEnding(finishReason: string | undefined): boolean {
  return finishReason !== undefined && /^(length|max_tokens|max_output_tokens|model_length)$/i.test(finishReason);
}

/** The service's content filter stopped the reply. */
export function isFilterEnding(finishReason: string | undefined): boolean {
  return (
    finishReason !== undefined &&
    /^(content_filter|safety|recitation|blocklist|prohibited_content|spii|refusal)\b/i.test(finishReason)
  );
}
