import { optionWires } from '../../../shared/chat.ts';
import { baseBefore, formOf, isStreamed, ownHeaders, savesAnswer, type CodeRequest } from './codeRequest.ts';

/** The parameters of the package's `chat.completions.create`. Everything else goes into `extra_body`. */
const chatFields: ReadonlySet<string | null> = new Set(['messages', ...Object.values(optionWires)]);

/** The request as a Python script with the `openai` package. */
export function asPython(request: CodeRequest): string {
  const { url, body, operation } = request;
  const form = formOf(request);
  const chatBase = baseBefore(url, '/chat/completions');
  const modelsBase = baseBefore(url, '/models');
  if (operation === 'catalog' && modelsBase !== undefined) {
    return script(request, modelsBase, ['for model in client.models.list():', '    print(model.id)']);
  }
  if (chatBase !== undefined && body !== undefined) {
    const create = `client.chat.completions.create(\n${chatArguments(body)}\n)`;
    return script(
      request,
      chatBase,
      isStreamed(request)
        ? printedChunks(create)
        : [`completion = ${create}`, 'print(completion.choices[0].message.content)'],
    );
  }
  const { origin, pathname, search } = new URL(url);
  const path = JSON.stringify(pathname + search);
  const call = (...named: readonly string[]) =>
    [`client.${body === undefined ? 'get' : 'post'}(`, ...[path, ...named].map((each) => `    ${each},`), ')'].join(
      '\n',
    );
  const json = body === undefined ? [] : [`body=${python(body, 4)}`];
  if (form !== undefined) {
    const file = JSON.stringify(form.fileName);
    const answer = call(
      'cast_to=str',
      `body=${python(form.fields, 4)}`,
      `files={"file": (${file}, open(${file}, "rb"), ${JSON.stringify(form.mediaType)})}`,
      'options={"headers": {"Content-Type": "multipart/form-data"}}',
    );
    return script(request, origin, [`print(${answer})`]);
  }
  if (isStreamed(request)) {
    const stream = call(
      'cast_to=ChatCompletionChunk',
      ...json,
      'stream=True',
      'stream_cls=Stream[ChatCompletionChunk]',
    );
    return script(request, origin, printedChunks(stream), [
      'from openai import OpenAI, Stream',
      'from openai.types.chat import ChatCompletionChunk',
    ]);
  }
  if (!savesAnswer(request)) return script(request, origin, [`print(${call('cast_to=str', ...json)})`]);
  return script(
    request,
    origin,
    [
      `answer = ${call('cast_to=HttpxBinaryResponseContent', ...json)}`,
      'kind = answer.response.headers.get("content-type", "")',
      'if "json" in kind or kind.startswith("text/"):',
      '    print(answer.text)',
      'else:',
      String.raw`    kind = re.search(r"/(\w+)", kind)`,
      '    answer.write_to_file("answer." + (kind[1] if kind else "bin"))',
    ],
    ['from openai import HttpxBinaryResponseContent, OpenAI'],
    ['import os', 'import re'],
  );
}

/** The text of a streamed reply. */
function printedChunks(stream: string): readonly string[] {
  return [
    `stream = ${stream}`,
    'for chunk in stream:',
    '    if chunk.choices:',
    '        print(chunk.choices[0].delta.content or "", end="", flush=True)',
  ];
}

function chatArguments(body: Readonly<Record<string, unknown>>): string {
  const known = Object.entries(body).filter(([name]) => chatFields.has(name));
  const others = Object.entries(body).filter(([name]) => !chatFields.has(name));
  const lines = known.map(([name, value]) => `    ${name}=${python(value, 4)},`);
  if (others.length > 0) lines.push(`    extra_body=${python(Object.fromEntries(others), 4)},`);
  return lines.join('\n');
}

function script(
  request: CodeRequest,
  baseUrl: string,
  lines: readonly string[],
  imports: readonly string[] = ['from openai import OpenAI'],
  standard: readonly string[] = ['import os'],
): string {
  const { isKeyless, keyVariable } = request;
  const headers = ownHeaders(request);
  return `${[
    ...standard,
    '',
    ...imports,
    '',
    'client = OpenAI(',
    `    base_url=${JSON.stringify(baseUrl)},`,
    // The package requires a key.
    isKeyless === true ? '    api_key="unused",' : `    api_key=os.environ["${keyVariable}"],`,
    ...(headers.length === 0 ? [] : [`    default_headers=${python(Object.fromEntries(headers), 4)},`]),
    '    # A request that failed might have been charged anyway.',
    '    max_retries=0,',
    '    timeout=None,',
    ')',
    ...lines,
  ].join('\n')}\n`;
}

/** A Python literal. JSON strings are valid Python strings, unless a character is written as two escapes. */
function python(value: unknown, indent: number): string {
  const inner = ' '.repeat(indent + 4);
  const outer = ' '.repeat(indent);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${inner}${python(item, indent + 4)},\n`).join('')}${outer}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value);
    if (fields.length === 0) return '{}';
    const lines = fields.map(([key, field]) => `${inner}${JSON.stringify(key)}: ${python(field, indent + 4)},\n`);
    return `{\n${lines.join('')}${outer}}`;
  }
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  return JSON.stringify(value);
}
