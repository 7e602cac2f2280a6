/**
 * Finish reasons of a model that had nothing left to write: `stop` from the specification, and what other services send
 * instead. In lower case.
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
 * The only definition of a complete reply. Everything that uses a reply's text, or says how it ended, asks here. After
 * a finish reason that isn't known to mean "done", the text might be cut off anywhere.
 * @param finishReason as the service sent it; undefined if the stream ended properly without one.
 */
export function isWholeEnding(finishReason: string | undefined): boolean {
  return finishReason === undefined || wholeReasons.has(finishReason.toLowerCase());
}

/** The reply reached its maximum length. */
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
