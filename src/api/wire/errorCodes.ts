import type { ErrorEnvelope, HttpFailureKind } from '../../shared/apiFailure.ts';

/*
 * What services name in `code` or `type` where their status says less, or something else. Where a server has no code
 * at all, the words of its message are the only sign there is: this is the one place where they are looked at.
 */

const contextCodes = namesOf(
  'context_length_exceeded',
  'exceed_context_size_error',
  'context_window_exceeded',
  'context_exceeded',
  'ContextWindowExceededError',
  'max_context_length_exceeded',
  'prompt_too_long',
  'input_too_long',
);

const contextWords = [
  /maximum context length/i,
  /exceeds?\b.{0,80}\bcontext (?:window|length|size)/i,
  /context (?:window|length|size).{0,60}(?:exceed|overflow)/i,
  /context the overflows/i,
  /longer than the model.{0,20}context/i,
  /(?:prompt|input) is too long/i,
  /input token count.{0,40}exceeds/i,
  /tokens \+ `max_new_tokens/i,
  /`inputs` must have less than \d+ tokens/i,
  /greater than the context length/i,
  /input tokens exceed/i,
];

/** The figure in each is the size of the window, and not of what was sent. */
const windowWords = [
  /maximum context length (?:is|of) ([\d,_]+)/i,
  /context (?:window|length|size)(?: of| is|:| \()? ?\(?([\d,_]{3,})/i,
  /\bn_ctx\W{1,4}(\d+)/i,
  /> ([\d,_]+) maximum/i,
  /maximum number of tokens allowed \(?([\d,_]+)/i,
  /`inputs` must have less than (\d+) tokens/i,
  /`max_new_tokens` must be <= (\d+)/i,
  /maximum (?:input|prompt) length (?:is|of) ([\d,_]+)/i,
];

const creditCodes = namesOf(
  'insufficient_quota',
  'insufficient_balance',
  'insufficient_credits',
  'insufficient_funds',
  'exceeded_current_quota_error',
  'billing_hard_limit_reached',
  'billing_not_active',
  'budget_exceeded',
);

const rateCodes = namesOf('429', 'rate_limit_exceeded', 'rate_limit_error', 'throttling_error', 'RESOURCE_EXHAUSTED');
const keyCodes = namesOf('invalid_api_key', 'API_KEY_INVALID', 'missing_api_key');
const modelCodes = namesOf('model_not_found', 'invalid_model', 'model_not_available', 'ModelNotFound');
const modelWords = [/invalid model\b/i, /not a valid model\b/i, /\bmodel\b.{0,120}\b(?:not found|does not exist)/i];
// LM Studio says so with status 200.
const pathWords = [/unexpected endpoint or method/i];
// Only of a request that carried images: a service that makes some says things like these too.
const noImageWords = [
  /does(?:n't| not) support (?:images?|vision|multimodal)\b(?! (?:types?|formats?|urls?|sizes?|generation|editing)\b)/i,
  /\bimages? inputs?\b.{0,20}\b(?:is|are) not (?:supported|enabled)/i,
  /no endpoints found that support image/i,
  /is not a multimodal model/i,
  /missing data required for image input/i,
  /image_url is only supported by certain models/i,
  /unknown variant `image_url`/i,
  /at most 0 image/i,
];
const loadingWords = [/loading model/i, /model\b.{0,80}\b(?:loading|starting|warming up|not ready)/i, /still loading/i];

/** The input is longer than the model's context window. */
export function isContextOverflow(error: ErrorEnvelope): boolean {
  return isNamed(contextCodes, error) || contextWords.some((words) => words.test(error.message));
}

/** What a refusal says of the size of the context window, in tokens; undefined where it says nothing. */
export function statedContextWindow(message: string): number | undefined {
  const words = windowWords.find((each) => each.test(message));
  const tokens = Number(words?.exec(message)?.[1]?.replaceAll(/[,_]/g, '') ?? Number.NaN);
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}

export function isOutOfCredits(error: ErrorEnvelope): boolean {
  return isNamed(creditCodes, error);
}

export function isInvalidKey(error: ErrorEnvelope): boolean {
  return isNamed(keyCodes, error);
}

export function isUnknownModel(error: ErrorEnvelope): boolean {
  return isNamed(modelCodes, error) || modelWords.some((words) => words.test(error.message));
}

/** The model takes no images. Ask this only where the request carried some. */
export function isWithoutImageInput(error: ErrorEnvelope): boolean {
  return noImageWords.some((words) => words.test(error.message));
}

/** Said with a good status: the server has no such path. */
export function isUnknownPath(error: ErrorEnvelope): boolean {
  return pathWords.some((words) => words.test(error.message));
}

/** The server is up, and its model isn't yet. */
export function isLoadingModel(error: ErrorEnvelope): boolean {
  return loadingWords.some((words) => words.test(error.message));
}

/**
 * What an error means that came with a good status: its code is often the status that it should have had. Not of a
 * key: the one that was sent was taken, and a gateway's own key for a provider is nothing that a person here can set.
 */
export function refusalIn(
  error: ErrorEnvelope,
):
  | Extract<HttpFailureKind, 'contextTooLong' | 'outOfCredits' | 'modelNotFound' | 'notReady'>
  | 'rateLimited'
  | undefined {
  if (isContextOverflow(error)) return 'contextTooLong';
  if (isOutOfCredits(error) || error.code === '402') return 'outOfCredits';
  if (isNamed(rateCodes, error)) return 'rateLimited';
  if (isUnknownModel(error)) return 'modelNotFound';
  return isLoadingModel(error) ? 'notReady' : undefined;
}

function namesOf(...names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}

function isNamed(codes: ReadonlySet<string>, { code, type }: ErrorEnvelope): boolean {
  return [code, type].some((name) => name !== undefined && codes.has(name.toLowerCase()));
}
