import type {
  ApiFailure,
  ErrorEnvelope,
  HttpFailure,
  HttpFailureKind,
  StreamErrorFailure,
} from '../../shared/apiFailure.ts';

/*
 * What services put into `code` or `type` if their status says less, or something else. If a server sends no code at
 * all, the words of its message are the only hint. This is the only place that looks at them.
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
  // GitHub Models.
  'tokens_limit_reached',
);

const contextWords = [
  /maximum (?:context|prompt|model) length/i,
  /exceed(?:s|ed)?\b.{0,80}\bcontext (?:window|length|size|limit)/i,
  /context (?:window|length|size).{0,60}(?:exceed|overflow)/i,
  /context length is only \d/i,
  /configured context size is \d/i,
  /context the overflows/i,
  /longer than the (?:model.{0,20}context|context length)/i,
  /(?:prompt|input)(?: \([^)]{1,40}\))? is too long/i,
  /prompt exceeds max length/i,
  /(?:input|prompt) token count.{0,40}exceeds/i,
  /exceeds (?:the )?maximum allowed input length/i,
  /exceeded model token limit/i,
  /range of input length should be/i,
  /tokens \+ `max_new_tokens/i,
  /`inputs` must have less than \d+ tokens/i,
  /greater than the context length/i,
  /input tokens exceed/i,
];

/** The figure in each is the size of the window, not of the request. The first that fits counts. */
const windowWords = [
  // Before the next ones, because the number after "context limit:" is the size of the request.
  /exceed context limit: [\d,_]+ \+ [\d,_]+ > ([\d,_]+)/i,
  /maximum (?:context|prompt|model) length (?:is|of) ([\d,_]+)/i,
  /([\d,_]+) maximum context length/i,
  /context (?:window|length|size)(?: of| is|:| \()?(?: only)? ?\(?([\d,_]{3,})/i,
  /\bn_ctx\W{1,4}(\d+)/i,
  /> ([\d,_]+) maximum/i,
  /maximum number of tokens allowed \(?([\d,_]+)/i,
  /token count of [\d,_]+ exceeds the limit of ([\d,_]+)/i,
  /`inputs` must have less than (\d+) tokens/i,
  /`max_new_tokens` must be <= (\d+)/i,
  /maximum (?:allowed )?input length (?:is|of) ([\d,_]+)/i,
  /configured limit of ([\d,_]+) tokens/i,
  /model token limit: ([\d,_]+)/i,
  /range of input length should be \[\d+, ?([\d,_]+)\]/i,
  /max size: ([\d,_]+) tokens/i,
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
  // Z.ai's number.
  '1113',
);
// Only at the start: a gateway passes them on after words of its own, and then the account isn't the user's.
const creditWords = [
  /^your credit balance is too low/i,
  /^your team\b.{0,80}\bused all available credits/i,
  /^your newly created teams? doesn't have any credits/i,
  /^you have run out of credits/i,
  /^insufficient balance\b/i,
];

// Waiting doesn't help: it's larger than what is accepted in a whole minute.
const neverFitsWords = [/request too large/i, /\btokens must be reduced\b/i];
const rateCodes = namesOf('429', 'rate_limit_exceeded', 'rate_limit_error', 'throttling_error', 'RESOURCE_EXHAUSTED');
const keyCodes = namesOf('invalid_api_key', 'API_KEY_INVALID', 'missing_api_key');
// Only at the start, as above.
const keyWords = [/^incorrect api key provided/i, /^api key not valid/i];
const modelCodes = namesOf(
  'model_not_found',
  'invalid_model',
  'model_not_available',
  'ModelNotFound',
  'DeploymentNotFound',
);
const modelWords = [
  /invalid model\b/i,
  /not a valid model\b/i,
  // Not the end of a path, as in "Route GET:/v1/models not found".
  /(?<!\/)\bmodels?\b.{0,120}\b(?:not found|does not exist)/i,
  /no such model\b/i,
  // OpenRouter, if none of a model's providers can be used.
  /no endpoints (?:found|available) (?:for|matching)\b/i,
  /\bdeployment for this resource does not exist/i,
  // Anthropic says nothing but this.
  /^model: \S+$/i,
];
// OpenAI, for models whose path is a different one.
const otherPathWords = [/\bnot a chat model\b/i, /\b(?:only|not) supported in (?:the )?v1\//i];
// OpenRouter, with 403.
const filterWords = [/\brequires moderation\b/i, /\binput was flagged\b/i];
// LM Studio sends this with status 200.
const pathWords = [/unexpected endpoint or method/i];
// Only for a request with images: a service that generates images has similar messages.
const noImageWords = [
  /does(?:n't| not) support (?:images?|vision|multimodal)\b(?! (?:types?|formats?|urls?|sizes?|generation|editing)\b)/i,
  /\bimages? inputs?\b.{0,20}\b(?:is|are) not (?:supported|enabled)/i,
  /no endpoints found that support image/i,
  /is not a multimodal model/i,
  /missing data required for image input/i,
  /image_url is only supported by certain models/i,
  /unknown variant `image_url`/i,
  /at most 0 image/i,
  // Groq, about a content that is a list because of its images.
  /\bcontent'?\s*(?::\s*value )?must be a string\b/i,
];
const loadingWords = [/loading model/i, /model\b.{0,80}\b(?:loading|starting|warming up|not ready)/i, /still loading/i];

/** The input is longer than the model's context window. */
export function isContextOverflow(error: ErrorEnvelope): boolean {
  return isNamed(contextCodes, error) || contextWords.some((words) => words.test(error.message));
}

/** The same of a failed request, whether the service said so with its status or in a stream. */
export function isOverflowFailure(failure: ApiFailure): failure is HttpFailure | StreamErrorFailure {
  return failure.kind === 'contextTooLong' || (failure.kind === 'streamError' && isContextOverflow(failure));
}

/** The size of the context window according to a refusal, in tokens; undefined if it doesn't say. */
export function statedContextWindow(message: string): number | undefined {
  const words = windowWords.find((each) => each.test(message));
  const tokens = Number(words?.exec(message)?.[1]?.replaceAll(/[,_]/g, '') ?? Number.NaN);
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}

export function isOutOfCredits(error: ErrorEnvelope): boolean {
  return isNamed(creditCodes, error) || saysOutOfCredits(error);
}

/** In its message, whatever its code: a refusal of access has the code of missing credits too. */
export function saysOutOfCredits({ message }: ErrorEnvelope): boolean {
  return creditWords.some((words) => words.test(message));
}

/** A rate limit that the request alone exceeds. Only call this for a refusal because of one. */
export function neverFits({ message }: ErrorEnvelope): boolean {
  return neverFitsWords.some((words) => words.test(message));
}

export function isInvalidKey(error: ErrorEnvelope): boolean {
  return isNamed(keyCodes, error) || keyWords.some((words) => words.test(error.message));
}

/** LiteLLM accepts the key, but not for this model: `key_model_access_denied`, and the same for a team or a user. */
export function isModelDenied({ type }: ErrorEnvelope): boolean {
  return type?.endsWith('_model_access_denied') === true;
}

export function isUnknownModel(error: ErrorEnvelope): boolean {
  return isNamed(modelCodes, error) || modelWords.some((words) => words.test(error.message));
}

/** The model exists, but not for chats. */
export function isModelOfOtherPath({ message }: ErrorEnvelope): boolean {
  return otherPathWords.some((words) => words.test(message));
}

/** A refusal of access is to the model, as the spec has it, and not for a country, a limit of the key, or a network. */
export function isAboutModel(error: ErrorEnvelope): boolean {
  const { message, code, param } = error;
  return message === '' || param === 'model' || code === 'insufficient_quota' || /\bmodels?\b/i.test(message);
}

/** What the request says was rejected, not who sent it. */
export function isModerated({ message }: ErrorEnvelope): boolean {
  return filterWords.some((words) => words.test(message));
}

/** The model doesn't accept images. Only call this if the request had some. */
export function isWithoutImageInput(error: ErrorEnvelope): boolean {
  return noImageWords.some((words) => words.test(error.message));
}

/** Sent with a good status: the server has no such path. */
export function isUnknownPath(error: ErrorEnvelope): boolean {
  return pathWords.some((words) => words.test(error.message));
}

/** The server is running, but its model isn't ready yet. */
export function isLoadingModel(error: ErrorEnvelope): boolean {
  return loadingWords.some((words) => words.test(error.message));
}

/**
 * The meaning of an error that arrived with a good status. Its code is often the status that it should have had. Never
 * about a key: ours was accepted, and a gateway's own key for a provider is nothing that a user can set here.
 */
export function refusalIn(
  error: ErrorEnvelope,
):
  | Extract<HttpFailureKind, 'contextTooLong' | 'outOfCredits' | 'requestTooLarge' | 'modelNotFound' | 'notReady'>
  | 'rateLimited'
  | undefined {
  if (isContextOverflow(error)) return 'contextTooLong';
  if (isOutOfCredits(error) || error.code === '402') return 'outOfCredits';
  if (isNamed(rateCodes, error)) return neverFits(error) ? 'requestTooLarge' : 'rateLimited';
  if (isUnknownModel(error)) return 'modelNotFound';
  return isLoadingModel(error) ? 'notReady' : undefined;
}

function namesOf(...names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}

function isNamed(codes: ReadonlySet<string>, { code, type }: ErrorEnvelope): boolean {
  return [code, type].some((name) => name !== undefined && codes.has(name.toLowerCase()));
}
