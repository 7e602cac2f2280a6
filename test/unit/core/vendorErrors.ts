import { of, openAi, stating, type VendorError } from './vendorError.ts';
import { otherVendorErrors } from './otherVendorErrors.ts';
import { vendorOverflows } from './vendorOverflows.ts';

export const vendorErrors: readonly VendorError[] = [
  of(
    'OpenAI: a wrong key',
    401,
    openAi(
      'Incorrect API key provided: sk-ab***yz. You can find your API key in your account settings.',
      'invalid_request_error',
      'invalid_api_key',
    ),
    { 'x-request-id': 'req_01' },
  ),
  of(
    'OpenAI: out of quota',
    429,
    openAi(
      'You exceeded your current quota, please check your plan and billing details.',
      'insufficient_quota',
      'insufficient_quota',
    ),
  ),
  of(
    'OpenAI: rate limit',
    429,
    openAi(
      'Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 28000, Requested 4000. Please try again in 4s.',
      'tokens',
      'rate_limit_exceeded',
    ),
    { 'retry-after-ms': '4000' },
  ),
  stating(
    128_000,
    of(
      'OpenAI: too long',
      400,
      openAi(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 140213 tokens. Please reduce the length of the messages.",
        'invalid_request_error',
        'context_length_exceeded',
        'messages',
      ),
    ),
  ),
  of(
    'OpenAI: no such model',
    404,
    openAi(
      'The model `gpt-9` does not exist or you do not have access to it.',
      'invalid_request_error',
      'model_not_found',
    ),
  ),
  of(
    'OpenAI: a model of v1/responses alone',
    404,
    openAi(
      'This model is only supported in v1/responses and not in v1/chat/completions.',
      'invalid_request_error',
      null,
      'model',
    ),
  ),
  of(
    'OpenAI: a model that completes texts',
    404,
    openAi(
      'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
      'invalid_request_error',
      null,
      'model',
    ),
  ),
  of('OpenAI: a wrong path', 404, openAi('Invalid URL (POST /v1/v1/chat/completions)', 'invalid_request_error', null)),
  of(
    'OpenAI: a parameter the model lacks',
    400,
    openAi(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'invalid_request_error',
      'unsupported_parameter',
      'max_tokens',
    ),
  ),
  of(
    'OpenAI: server error',
    500,
    openAi('The server had an error processing your request. Sorry about that!', 'server_error', null),
  ),
  of(
    'OpenAI: overloaded',
    503,
    openAi('The engine is currently overloaded, please try again later.', 'server_error', null),
  ),
  of(
    'OpenAI: country not supported',
    403,
    openAi('Country, region, or territory not supported', 'request_forbidden', 'unsupported_country_region_territory'),
  ),
  of(
    'OpenAI: an audio file that is too large',
    413,
    openAi('413: Maximum content size limit (26214400) exceeded (27262976 bytes read)', 'server_error', null),
  ),
  of('Azure OpenAI: a wrong key', 401, {
    error: { code: '401', message: 'Access denied due to invalid subscription key or wrong API endpoint.' },
  }),
  of('Azure OpenAI: no such deployment', 404, {
    error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' },
  }),
  of('Azure OpenAI: content filter', 400, {
    error: {
      message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      type: null,
      param: 'prompt',
      code: 'content_filter',
      status: 400,
    },
  }),
  of(
    'Azure OpenAI: rate limit',
    429,
    {
      error: {
        code: '429',
        message:
          'Requests to the ChatCompletions_Create Operation have exceeded the token rate limit. Please retry after 6 seconds.',
      },
    },
    { 'retry-after': '6' },
  ),
  stating(
    272_000,
    of(
      'Azure OpenAI: too long',
      400,
      openAi(
        'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens.',
        'invalid_request_error',
        'context_length_exceeded',
        'messages',
      ),
    ),
  ),
  stating(
    4096,
    of('vLLM: too long', 400, {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5034 tokens (4934 in the messages, 100 in the completion).",
      type: 'BadRequestError',
      param: null,
      code: 400,
    }),
  ),
  of('vLLM: no such model', 404, {
    object: 'error',
    message: 'The model `m` does not exist.',
    type: 'NotFoundError',
    param: null,
    code: 404,
  }),
  of('vLLM: a wrong key', 401, { error: 'Unauthorized' }),
  of('vLLM: no chat template', 400, {
    object: 'error',
    message:
      'As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template.',
    type: 'BadRequestError',
    param: null,
    code: 400,
  }),
  stating(
    32_768,
    of('SGLang: too long', 400, {
      object: 'error',
      message: "The input (40000 tokens) is longer than the model's context length (32768 tokens).",
      type: 'BadRequestError',
      param: null,
      code: 400,
    }),
  ),
  of('SGLang: internal error', 500, {
    object: 'error',
    message: 'Internal server error',
    type: 'InternalServerError',
    param: null,
    code: 500,
  }),
  of('llama.cpp: loading', 503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }),
  stating(
    4096,
    of('llama.cpp: too long', 400, {
      error: {
        code: 400,
        message: 'request (5034 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5034,
        n_ctx: 4096,
      },
    }),
  ),
  of('llama.cpp: no mmproj', 500, {
    error: {
      code: 500,
      message: 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
      type: 'server_error',
    },
  }),
  of('llama.cpp: a wrong key', 401, { error: { message: 'Invalid API Key', type: 'authentication_error', code: 401 } }),
  of('llama.cpp: a wrong path', 404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }),
  of('Ollama: no such model', 404, {
    error: { message: "model 'llama9' not found", type: 'api_error', param: null, code: null },
  }),
  of('Ollama: native words', 404, { error: "model 'llama9' not found, try pulling it first" }),
  of('Ollama: too little memory', 500, {
    error: {
      message: 'model requires more system memory (5.6 GiB) than is available (3.1 GiB)',
      type: 'api_error',
      param: null,
      code: null,
    },
  }),
  of('Ollama: a wrong path', 404, '404 page not found'),
  stating(
    4096,
    of('LM Studio: too long', 400, {
      error:
        'Trying to keep the first 8210 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    }),
  ),
  stating(
    4096,
    of('LM Studio: too long, newer', 400, {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    }),
  ),
  of('LM Studio: no model loaded', 404, {
    error: {
      message: 'No models loaded. Please load a model in the developer page or use the `lms load` command.',
      type: 'invalid_request_error',
      param: 'model',
      code: 'model_not_found',
    },
  }),
  stating(
    200_000,
    of('LiteLLM: too long', 400, {
      error: {
        message:
          'litellm.ContextWindowExceededError: AnthropicError - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 209303 tokens > 200000 maximum"}}',
        type: null,
        param: null,
        code: '400',
      },
    }),
  ),
  of('LiteLLM: a wrong key', 401, {
    error: {
      message: 'Authentication Error, Invalid proxy server token passed.',
      type: 'auth_error',
      param: 'None',
      code: '401',
    },
  }),
  of('LiteLLM: a key without access to the model', 401, {
    error: {
      message: "key not allowed to access model. This key can only access models=['m/two']. Tried to access m/one",
      type: 'key_model_access_denied',
      param: 'model',
      code: '401',
    },
  }),
  of('LiteLLM: no such model', 400, {
    error: {
      message:
        '/chat/completions: Invalid model name passed in model=m. Call `/v1/models` to view available models for your key.',
      type: 'invalid_request_error',
      param: null,
      code: '400',
    },
  }),
  of('LiteLLM: over budget', 400, {
    error: {
      message: 'Budget has been exceeded! Current cost: 1.2, Max budget: 1.0',
      type: 'budget_exceeded',
      param: null,
      code: '400',
    },
  }),
  of('OpenRouter: out of credits', 402, {
    error: { message: 'Insufficient credits. Add more using https://openrouter.ai/credits', code: 402 },
    user_id: 'user_1',
  }),
  of('OpenRouter: no such model', 400, {
    error: { message: 'm/none is not a valid model ID', code: 400 },
    user_id: 'user_1',
  }),
  of('OpenRouter: moderation', 403, {
    error: {
      message:
        'openai/gpt-5 requires moderation on OpenRouter. Your input was flagged for "violence". No credits were charged.',
      code: 403,
      metadata: { reasons: ['violence'], flagged_input: 'a text', provider_name: 'OpenAI', model_slug: 'openai/gpt-5' },
    },
  }),
  of('OpenRouter: a provider that limits', 429, {
    error: {
      message: 'Provider returned error',
      code: 429,
      metadata: { raw: 'm/one is temporarily rate-limited upstream. Please retry shortly.', provider_name: 'P' },
    },
  }),
  of('OpenRouter: a provider that failed', 502, {
    error: {
      message: 'Provider returned error',
      code: 502,
      metadata: { raw: '{"error":{"message":"Upstream is out of capacity"}}', provider_name: 'P' },
    },
  }),
  of(
    'OpenAI: request too large for the minute',
    429,
    openAi(
      'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 61337. The input or output tokens must be reduced in order to run successfully.',
      'tokens',
      'rate_limit_exceeded',
    ),
  ),
  of(
    'Groq: request too large for the minute',
    413,
    openAi(
      'Request too large for model `llama-3.1-8b-instant` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 9871.',
      'tokens',
      'rate_limit_exceeded',
    ),
  ),
  of(
    'Groq: too long',
    400,
    openAi(
      'Please reduce the length of the messages or completion.',
      'invalid_request_error',
      'context_length_exceeded',
      'messages',
    ),
  ),
  of('Mistral: no such model', 400, {
    object: 'error',
    message: 'Invalid model: m',
    type: 'invalid_model',
    param: null,
    code: '1500',
  }),
  stating(
    32_768,
    of('Mistral: too long', 400, {
      object: 'error',
      message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_prompt',
      param: null,
      code: '3051',
    }),
  ),
  of('Mistral: wrong fields', 422, {
    object: 'error',
    message: {
      detail: [{ type: 'extra_forbidden', loc: ['body', 'top_k'], msg: 'Extra inputs are not permitted', input: 5 }],
    },
    type: 'invalid_request_error',
    param: null,
    code: null,
  }),
  of('Mistral: a wrong key', 401, { message: 'Unauthorized', request_id: 'mistral-1' }),
  stating(
    8193,
    of('Together: too long', 422, {
      error: {
        message:
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`',
        type: 'invalid_request_error',
        param: 'max_tokens',
        code: null,
      },
    }),
  ),
  of('Together: no such model', 404, {
    id: 'o1',
    error: openAi(
      'Unable to access model m. Please visit the list of supported models.',
      'invalid_request_error',
      'model_not_available',
    ).error,
  }),
  of('DeepSeek: out of balance', 402, openAi('Insufficient Balance', 'unknown_error', 'invalid_request_error')),
  stating(
    131_072,
    of(
      'DeepSeek: too long',
      400,
      openAi(
        "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion).",
        'invalid_request_error',
        'invalid_request_error',
      ),
    ),
  ),
  of('Z.ai: out of balance', 429, {
    error: { code: '1113', message: 'Insufficient balance or no resource package. Please recharge.' },
  }),
  of('Zhipu: out of balance', 429, { error: { code: '1113', message: '您的账户已欠费，请充值后重试。' } }),
  of(
    'Anthropic: out of credits',
    400,
    openAi(
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      'invalid_request_error',
      'invalid_request_error',
    ),
  ),
  of('LiteLLM: out of credits at its provider', 400, {
    error: {
      message:
        'litellm.BadRequestError: AnthropicException - {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}',
      type: null,
      param: null,
      code: '400',
    },
  }),
  of('xAI: a wrong key', 400, {
    code: 'Client specified an invalid argument',
    error: 'Incorrect API key provided: xa***yz. You can obtain an API key from https://console.x.test.',
  }),
  of("LiteLLM: a wrong key of its provider's", 400, {
    error: { message: 'litellm.BadRequestError: XaiException - Incorrect API key provided: xa***yz.', code: '400' },
  }),
  of('Gemini: a wrong key, without its details', 400, {
    error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' },
  }),
  of('xAI: out of credits', 429, {
    code: 'Some resource has been exhausted',
    error:
      'Your team 16f2151a-40f4-4a80-8ad0-cae00c27e8dd has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit.',
  }),
  of('xAI: out of credits, as 403', 403, {
    code: 'personal-team-blocked:spending-limit',
    error: 'You have run out of credits or need a Grok subscription.',
  }),
  of('xAI: a team without credits', 403, {
    code: 'The caller does not have permission to execute the specified operation',
    error:
      "Your newly created team doesn't have any credits or licenses yet. You can purchase those on https://x.test.",
  }),
  of('Gemini: a wrong key', 400, [
    {
      error: {
        code: 400,
        message: 'API key not valid. Please pass a valid API key.',
        status: 'INVALID_ARGUMENT',
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
        ],
      },
    },
  ]),
  of('Gemini: quota', 429, [
    {
      error: {
        code: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        status: 'RESOURCE_EXHAUSTED',
      },
    },
  ]),
  of('Gemini: quota, with the time to wait', 429, [
    {
      error: {
        code: 429,
        message: 'You exceeded your current quota, please check your plan and billing details. Please retry in 6.9s.',
        status: 'RESOURCE_EXHAUSTED',
        details: [
          { '@type': 'type.googleapis.com/google.rpc.Help', links: [] },
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '6.9s' },
        ],
      },
    },
  ]),
  stating(
    1_048_575,
    of('Gemini: too long', 400, [
      {
        error: {
          code: 400,
          message: 'The input token count (2800010) exceeds the maximum number of tokens allowed (1048575).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ]),
  ),
  of('Gemini: overloaded', 503, [
    { error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' } },
  ]),
  stating(
    2048,
    of('TGI: too long', 422, {
      error: 'Input validation error: `inputs` must have less than 2048 tokens. Given: 2222',
      error_type: 'validation',
    }),
  ),
  ...vendorOverflows,
  ...otherVendorErrors,
];
