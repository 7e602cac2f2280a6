/**
 * Functions that a model may call, in the words of the OpenAI-compatible API. The spec does not name
 * them: nothing of this is sent unless a request holds tools.
 */
export interface ChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    /** JSON Schema of the input. */
    readonly parameters?: object;
  };
}

/** `required`: the model must call one; absent, it decides. */
export type ToolChoice = 'auto' | 'required';

/** Element of `tool_calls`; `arguments` is JSON. */
interface ToolCallPart {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** What was called earlier in a conversation, and what came of it. */
export type ToolMessage =
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls: readonly ToolCallPart[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** The part of a chat request that is about tools. */
export interface ToolFields {
  readonly tools?: readonly ChatTool[];
  readonly tool_choice?: ToolChoice;
}

/** The model wants a tool to be called. */
export interface ToolCall {
  /** Its result is told by this. */
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}
