/**
 * Functions that a model can call, in the terms of the OpenAI-compatible API. The spec doesn't mention them, so none of
 * this is sent unless a request has tools.
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

/** `required`: the model must call one. If absent, the model decides. */
export type ToolChoice = 'auto' | 'required';

/** Element of `tool_calls`; `arguments` is JSON. */
interface ToolCallPart {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  /** From its {@link CallContext}. */
  readonly extra_content?: object;
}

/** Earlier calls in a conversation, and their results. */
export type ToolMessage =
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly tool_calls: readonly ToolCallPart[];
      /** From the {@link CallContext} of its calls. */
      readonly reasoning_content?: string;
      readonly reasoning_details?: readonly object[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** The part of a chat request about tools. */
export interface ToolFields {
  readonly tools?: readonly ChatTool[];
  readonly tool_choice?: ToolChoice;
}

/** What a service expects back of the reasoning before a call. */
export interface ReasoningContext {
  /** `reasoning_content` of the reply: DeepSeek refuses a message with calls without it. */
  readonly reasoningContent?: string;
  /** `reasoning_details` of the reply, joined: OpenRouter passes them on to models that sign their reasoning. */
  readonly reasoningDetails?: readonly object[];
}

/** What a service expects back with a call of its own. No other service should get it. */
export interface CallContext extends ReasoningContext {
  /** `extra_content` of the call: Gemini refuses a call without the signature in it. */
  readonly extraContent?: object;
}

/** The model wants to call a tool. */
export interface ToolCall {
  /** Identifies the call that a result belongs to. */
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly context?: CallContext;
}
