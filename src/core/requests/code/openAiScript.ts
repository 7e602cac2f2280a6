import {
  baseBefore,
  formOf,
  isStreamed,
  literal,
  ownHeaders,
  patientFetch,
  patientFetchImport,
  printedOrSaved,
  savesAnswer,
  type CodeRequest,
} from './codeRequest.ts';

/** The request as a TypeScript module with the `openai` package. */
export function asOpenAi(request: CodeRequest): string {
  const { url, body, operation } = request;
  const form = formOf(request);
  const chatBase = baseBefore(url, '/chat/completions');
  const modelsBase = baseBefore(url, '/models');
  if (operation === 'catalog' && modelsBase !== undefined) {
    return module(request, modelsBase, ['for await (const model of client.models.list()) console.log(model.id);']);
  }
  if (chatBase !== undefined && body !== undefined) {
    const call = `client.chat.completions.create(${literal(body, 0)})`;
    return module(
      request,
      chatBase,
      isStreamed(request)
        ? [
            `const stream = await ${call};`,
            "for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? '');",
          ]
        : [`const completion = await ${call};`, 'console.log(completion.choices[0]?.message.content);'],
    );
  }
  const { origin, pathname, search } = new URL(url);
  const path = JSON.stringify(pathname + search);
  if (form !== undefined) {
    const file = JSON.stringify(form.fileName);
    return module(
      request,
      origin,
      [
        'const form = new FormData();',
        ...Object.entries(form.fields).map(
          ([name, value]) => `form.append(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
        ),
        `form.append('file', await openAsBlob(${file}, { type: ${JSON.stringify(form.mediaType)} }), ${file});`,
        `console.log(await client.post(${path}, { body: form }));`,
      ],
      ["import { openAsBlob } from 'node:fs';"],
    );
  }
  if (isStreamed(request)) {
    return module(request, origin, [
      'const stream = await client.post<AsyncIterable<OpenAI.Chat.ChatCompletionChunk>>(',
      `  ${path},`,
      `  { body: ${literal(body, 2)}, stream: true },`,
      ');',
      "for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? '');",
    ]);
  }
  if (savesAnswer(request)) {
    return module(
      request,
      origin,
      [
        `const response = await client.post(${path}, {\n  body: ${literal(body, 2)},\n}).asResponse();`,
        ...printedOrSaved,
      ],
      ["import { writeFile } from 'node:fs/promises';"],
    );
  }
  const call = body === undefined ? `client.get(${path})` : `client.post(${path}, {\n  body: ${literal(body, 2)},\n})`;
  return module(request, origin, [`console.log(JSON.stringify(await ${call}, undefined, 2));`]);
}

function module(
  request: CodeRequest,
  baseUrl: string,
  lines: readonly string[],
  imports: readonly string[] = [],
): string {
  const { isKeyless, keyVariable } = request;
  const headers = ownHeaders(request);
  return `${[
    ...imports,
    "import OpenAI from 'openai';",
    patientFetchImport,
    '',
    ...patientFetch,
    'const client = new OpenAI({',
    `  baseURL: ${JSON.stringify(baseUrl)},`,
    // The package requires a key.
    isKeyless === true ? "  apiKey: 'unused'," : `  apiKey: process.env.${keyVariable},`,
    ...(headers.length === 0 ? [] : [`  defaultHeaders: ${literal(Object.fromEntries(headers), 2)},`]),
    '  // A request that failed might have been charged anyway.',
    '  maxRetries: 0,',
    '  timeout: 2 ** 31 - 1,',
    '});',
    ...lines,
  ].join('\n')}\n`;
}
