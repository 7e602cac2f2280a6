import { invalid, isObject, readChoice, readRequiredText, type JsonObject } from './requestFields.ts';

export interface ToolDefinition {
  readonly name: string;
  /** JSON Schema of the input; absent if the tool has none. */
  readonly parameters?: JsonObject;
}

/** The tools of a request; not in the specification, but supported by OpenAI-compatible services. */
export function readTools(fields: JsonObject): {
  readonly tools: readonly ToolDefinition[];
  readonly mustCallTool: boolean;
} {
  const { tools = [], tool_choice: choice } = fields;
  if (!Array.isArray(tools)) throw invalid('tools', 'must be an array.');
  const read = tools.map((tool: unknown, index) => readTool(tool, `tools[${index}]`));
  const chosen = readChoice('tool_choice', choice, ['auto', 'none', 'required'], 'auto');
  if (chosen === 'required' && read.length === 0) throw invalid('tool_choice', 'needs tools to choose from.');
  return { tools: chosen === 'none' ? [] : read, mustCallTool: chosen === 'required' };
}

/** Checks a message: a result must name its call, and a call must be valid. */
export function checkToolFields(message: JsonObject, role: string, param: string): void {
  if (role === 'tool') readRequiredText(`${param}.tool_call_id`, message['tool_call_id']);
  const calls = message['tool_calls'];
  if (calls === undefined) return;
  if (!Array.isArray(calls) || calls.length === 0) throw invalid(`${param}.tool_calls`, 'must be an array of calls.');
  calls.forEach((call: unknown, index) => checkCall(call, `${param}.tool_calls[${index}]`));
}

function readTool(value: unknown, param: string): ToolDefinition {
  const named = functionOf(value, param);
  const { parameters } = named;
  if (parameters !== undefined && !isObject(parameters))
    throw invalid(`${param}.function.parameters`, 'must be an object.');
  const name = readRequiredText(`${param}.function.name`, named['name']);
  return { name, ...(parameters === undefined ? {} : { parameters }) };
}

function checkCall(value: unknown, param: string): void {
  const named = functionOf(value, param);
  readRequiredText(`${param}.id`, isObject(value) ? value['id'] : undefined);
  readRequiredText(`${param}.function.name`, named['name']);
  readRequiredText(`${param}.function.arguments`, named['arguments']);
}

function functionOf(value: unknown, param: string): JsonObject {
  if (!isObject(value) || value['type'] !== 'function' || !isObject(value['function'])) {
    throw invalid(param, 'must be {type: "function", function: {…}}.');
  }
  return value['function'];
}
