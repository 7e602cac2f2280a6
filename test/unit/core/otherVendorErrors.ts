import { inStream, of, openAi, stating, type VendorError } from './vendorError.ts';

/** Other than in response to a chat with a key and text. */
export const otherVendorErrors: readonly VendorError[] = [
  // Errors inside a stream that began with 200, and rejections sent as its first event.
  inStream('LiteLLM: rate limit', 200, {
    error: { message: 'litellm.RateLimitError: slow down', type: 'throttling_error', param: null, code: '429' },
  }),
  inStream('LiteLLM: request too large for the minute', 200, {
    error: {
      message: 'litellm.RateLimitError: OpenAIException - Request too large for gpt-4o on tokens per min (TPM)',
      type: 'throttling_error',
      param: null,
      code: '429',
    },
  }),
  inStream('LiteLLM: a wrong key of its provider', 200, {
    error: { message: 'litellm.AuthenticationError: no key', type: null, param: null, code: '401' },
  }),
  inStream('vLLM: the engine died', 200, {
    error: { message: 'EngineCore encountered an issue.', type: 'InternalServerError', param: null, code: 500 },
  }),
  stating(
    4096,
    inStream('vLLM: too long, framed as an event', 400, {
      error: { message: "This model's maximum context length is 4096 tokens.", type: 'BadRequestError', code: 400 },
    }),
  ),
  inStream('LiteLLM: a wrong path, framed as an event', 404, { error: { message: 'Not Found', code: '404' } }),
  of('OpenRouter: out of credits, with 200', 200, {
    error: { message: 'This request requires more credits.', code: 402 },
  }),
  of('OpenRouter: no such model, with 200', 200, { error: { message: 'm/one is not a valid model ID', code: 400 } }),
  of('Gemini: overloaded, with 200', 200, [
    { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
  ]),
  {
    ...of(
      'llama.cpp: too long, as a field of its own',
      200,
      'error: {"code":500,"message":"context size exceeded"}\n\n',
    ),
    headers: { 'content-type': 'text/event-stream' },
  },
  // No key was sent.
  ...[
    of('vLLM: no key', 401, { error: 'Unauthorized' }),
    of('AWS API Gateway: no key, and none was sent', 403, { message: 'Forbidden' }),
  ].map((error) => ({ ...error, isKeyless: true as const })),
  // In response to a request with an image.
  ...[
    of('llama.cpp: no mmproj', 500, {
      error: {
        code: 500,
        message: 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
        type: 'server_error',
      },
    }),
    of('llama.cpp: no mmproj, as plain text', 500, 'image input is not supported - hint: provide the mmproj'),
    of('vLLM: an image for a text model', 400, {
      error: { message: 'm/one is not a multimodal model', type: 'BadRequestError', param: null, code: 400 },
    }),
    of('vLLM: a limit of no images', 400, {
      error: { message: 'At most 0 image(s) may be provided in one prompt.', type: 'BadRequestError', code: 400 },
    }),
    of(
      'OpenAI: an image for a text model',
      400,
      openAi('This model does not support image inputs.', 'invalid_request_error', null, 'messages'),
    ),
    of('OpenRouter: no provider that takes images', 404, {
      error: { message: 'No endpoints found that support image input', code: 404 },
    }),
    of('Ollama: an image for a text model', 500, {
      error: { message: 'this model is missing data required for image input', type: 'api_error' },
    }),
    of('Ollama: an image for a text model, as 400', 400, {
      error: { message: 'this model is missing data required for image input', type: 'invalid_request_error' },
    }),
    of('DeepSeek: an image for a text model', 400, {
      error: {
        message: 'Failed to deserialize the JSON body: unknown variant `image_url`, expected `text`',
        type: 'invalid_request_error',
      },
    }),
    of(
      'Groq: an image for a text model',
      400,
      openAi('messages[0].content must be a string', 'invalid_request_error', null),
    ),
    of(
      'Groq: an image for a text model, older',
      400,
      openAi(
        "'messages.0' : for 'role:user' the following must be satisfied[('messages.0.content' : value must be a string)]",
        'invalid_request_error',
        null,
      ),
    ),
    inStream('OpenRouter: an image for a text model, with 200', 200, {
      error: { message: 'No endpoints found that support image input', code: 404 },
    }),
    // About this image, not about images.
    of(
      'OpenAI: an image of another format',
      400,
      openAi('This model does not support image type image/tiff.', 'invalid_request_error', 'invalid_image_format'),
    ),
  ].map((error) => ({ ...error, call: 'chatWithImage' as const })),
  // The same message when there was nothing to see.
  of('A service that speaks of images without one', 400, { error: { message: 'm/one is not a multimodal model' } }),
  // From both paths of the model list.
  ...[
    of('A service without a model list', 404, { detail: 'Not Found' }),
    of('A service whose model list takes no GET', 405, { detail: 'Method Not Allowed' }),
    of('A service that has not implemented a model list', 501, { error: { message: 'Not implemented' } }),
  ].map((error) => ({ ...error, call: 'models' as const })),
];
