import { of, openAi, page, stating, type VendorError } from './vendorError.ts';

/** Messages that are too long for a model, whose code says nothing, or was dropped by a gateway. */
export const vendorOverflows: readonly VendorError[] = [
  of(
    'OpenAI: too long, without a figure',
    400,
    openAi(
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      'invalid_request_error',
      null,
    ),
  ),
  stating(
    8000,
    of('GitHub Models: too long', 413, {
      error: {
        code: 'tokens_limit_reached',
        message: 'Request body too large for gpt-4o model. Max size: 8000 tokens.',
        details: 'Request body too large for gpt-4o model. Max size: 8000 tokens.',
      },
    }),
  ),
  stating(
    200_000,
    of(
      'Anthropic: too long',
      400,
      openAi('prompt is too long: 213462 tokens > 200000 maximum', 'invalid_request_error', null),
    ),
  ),
  stating(
    200_000,
    of(
      'Anthropic: too long together with the reply',
      400,
      openAi(
        'input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again',
        'invalid_request_error',
        null,
      ),
    ),
  ),
  stating(
    131_072,
    of(
      'OpenRouter: too long',
      400,
      openAi(
        "This endpoint's maximum context length is 131072 tokens. However, you requested about 138956 tokens (7884 of text input, 131072 in the output). Please reduce the length of either one.",
        'invalid_request_error',
        null,
      ),
    ),
  ),
  stating(
    131_040,
    of(
      'OpenRouter: too long for Poolside',
      400,
      openAi(
        'Input length 131393 exceeds the maximum allowed input length of 131040 tokens.',
        'invalid_request_error',
        null,
      ),
    ),
  ),
  stating(
    32_767,
    of(
      'Fireworks: too long',
      400,
      openAi(
        'The prompt is too long: 40177, model maximum context length: 32767',
        'invalid_request_error',
        'invalid_request_error',
      ),
    ),
  ),
  stating(
    262_144,
    of(
      'Together: too long, newer',
      400,
      openAi(
        "The input (516368 tokens) is longer than the model's context length (262144 tokens).",
        'invalid_request_error',
        null,
      ),
    ),
  ),
  stating(
    131_072,
    of(
      'vLLM: too long, newer',
      400,
      openAi(
        "You passed 67073 input tokens and requested 64000 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 67072 tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=67073)",
        'BadRequestError',
        null,
      ),
    ),
  ),
  stating(
    4096,
    of(
      'vLLM: no room for the reply',
      400,
      openAi(
        "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
        'BadRequestError',
        null,
      ),
    ),
  ),
  stating(
    4096,
    of(
      'vLLM: too long for its engine',
      400,
      openAi(
        'The decoder prompt (length 25938) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.',
        'BadRequestError',
        null,
      ),
    ),
  ),
  stating(
    4096,
    of(
      'vLLM: too long, older',
      400,
      openAi(
        'The prompt (total length 25938) is too long to fit into the model (context length 4096).',
        'BadRequestError',
        null,
      ),
    ),
  ),
  stating(
    4096,
    of(
      'llama-cpp-python: too long',
      400,
      openAi('Requested tokens (5034) exceed context window of 4096', 'invalid_request_error', null),
    ),
  ),
  of(
    'llama.cpp: too long, older',
    400,
    openAi(
      'the request exceeds the available context size. try increasing the context size or enable context shift',
      'invalid_request_error',
      null,
    ),
  ),
  of('Ollama: too long', 400, openAi('prompt too long; exceeded max context length by 5000 tokens', 'api_error', null)),
  of(
    'Ollama: prompt too long',
    400,
    openAi(
      'the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length',
      'invalid_request_error',
      null,
    ),
  ),
  of('Ollama: input too long', 400, openAi('the input length exceeds the context length', 'api_error', null)),
  stating(
    131_072,
    of(
      'xAI: too long',
      400,
      openAi(
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        'invalid_request_error',
        null,
      ),
    ),
  ),
  stating(
    128_000,
    of(
      'GitHub Copilot: too long',
      400,
      openAi('prompt token count of 135000 exceeds the limit of 128000', 'invalid_request_error', null),
    ),
  ),
  stating(
    262_144,
    of(
      'Moonshot: too long',
      400,
      openAi(
        'Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)',
        'invalid_request_error',
        null,
      ),
    ),
  ),
  stating(
    129_024,
    of(
      'Qwen: too long',
      400,
      openAi(
        '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]',
        'invalid_request_error',
        'invalid_parameter_error',
      ),
    ),
  ),
  of('Zhipu: too long', 400, openAi('Prompt exceeds max length', 'invalid_request_error', '1261')),
  of('MiniMax: too long', 400, openAi('invalid params, context window exceeds limit', 'invalid_request_error', null)),
  stating(
    32_768,
    of(
      'DS4: too long',
      400,
      openAi('Prompt has 32769 tokens, but the configured context size is 32768 tokens', 'invalid_request_error', null),
    ),
  ),
  of('TGI: overloaded', 429, { error: 'Model is overloaded', error_type: 'overloaded' }),
  of('Hugging Face: loading', 503, { error: 'Model m/one is currently loading', estimated_time: 20 }),
  of('FastAPI: a field', 422, {
    detail: [{ type: 'missing', loc: ['body', 'messages', 0, 'role'], msg: 'Field required', input: {} }],
  }),
  of('FastAPI: a wrong path', 404, { detail: 'Not Found' }),
  of('FastAPI: a wrong method', 405, { detail: 'Method Not Allowed' }),
  of('FastAPI: unhandled', 500, 'Internal Server Error'),
  of('Spring: unhandled', 500, {
    timestamp: '2026-01-01T00:00:00.000+00:00',
    status: 500,
    error: 'Internal Server Error',
    path: '/v1/chat/completions',
  }),
  of('Spring: a media type', 415, {
    timestamp: '2026-01-01T00:00:00.000+00:00',
    status: 415,
    error: 'Unsupported Media Type',
    message: "Content-Type 'multipart/form-data' is not supported.",
    path: '/v1/audio/transcriptions',
  }),
  of('ASP.NET: a field', 400, {
    type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
    title: 'One or more validation errors occurred.',
    status: 400,
    errors: { model: ['The model field is required.'] },
    traceId: '00-84c1',
  }),
  of(
    'Express: a wrong path',
    404,
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot POST /chat/completions</pre>\n</body>\n</html>\n',
  ),
  of('nginx: bad gateway', 502, page('502 Bad Gateway', '<hr><center>nginx/1.24.0</center>\r\n')),
  of('nginx: timeout', 504, page('504 Gateway Time-out', '<hr><center>nginx</center>\r\n')),
  of('nginx: body too large', 413, page('413 Request Entity Too Large', '<hr><center>nginx</center>\r\n')),
  of('nginx: internal error', 500, page('500 Internal Server Error', '<hr><center>nginx</center>\r\n')),
  of('nginx: a wrong path', 404, page('404 Not Found', '<hr><center>nginx</center>\r\n')),
  of('ALB: no targets', 503, page('503 Service Temporarily Unavailable')),
  of(
    'Cloudflare: host error',
    521,
    '<!DOCTYPE html>\n<!--[if lt IE 7]> <html class="no-js ie6 oldie" lang="en-US"> <![endif]-->\n<!--[if gt IE 8]><!--> <html class="no-js" lang="en-US"> <!--<![endif]-->\n<head>\n<title>api.example | 521: Web server is down</title>\n</head><body></body></html>',
  ),
  of(
    'Cloudflare: timeout',
    524,
    '<!DOCTYPE html>\n<html class="no-js" lang="en-US">\n<head>\n<title>api.example | 524: A timeout occurred</title>\n</head><body></body></html>',
  ),
  of(
    'Cloudflare: a challenge',
    403,
    '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title></head><body></body></html>',
  ),
  of('Envoy: no upstream', 503, 'no healthy upstream'),
  of(
    'Envoy: reset',
    503,
    'upstream connect error or disconnect/reset before headers. reset reason: connection failure',
  ),
  of('Envoy: timeout', 504, 'upstream request timeout'),
  of('AWS API Gateway: no key', 403, { message: 'Forbidden' }),
  of('AWS API Gateway: timeout', 504, { message: 'Endpoint request timed out' }),
  of('AWS: signature', 403, { Message: 'User is not authorized to access this resource' }),
  of('A captive portal', 511, page('Network Authentication Required')),
  of('Moonshot: out of quota', 429, {
    error: {
      message: 'Your account is suspended, please check your plan and billing details.',
      type: 'exceeded_current_quota_error',
    },
  }),
  of('Legal', 451, { error: { message: 'Not available in your region.' } }),
  of('A conflict', 409, { error: { message: 'Another request is in progress.' } }),
  {
    ...of('A server that takes no form for audio', 415, {
      detail: 'Unsupported media type "multipart/form-data" in request.',
    }),
    call: 'transcription',
  },
  { ...of('nginx: an audio file that is too large', 413, page('413 Request Entity Too Large')), call: 'transcription' },
];
