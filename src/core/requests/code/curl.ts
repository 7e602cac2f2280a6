import { formOf, isStreamed, ownHeaders, savedAs, savesAnswer, type CodeRequest } from './codeRequest.ts';

/**
 * In bytes. Linux starts no program with a longer one (MAX_ARG_STRLEN); `printf` is part of the shell, so it has no such
 * limit.
 */
const longestArgument = 131_072;

/** The request for curl in bash and similar shells; fish parses it in the same way. */
export function asCurl(request: CodeRequest): string {
  const { method, url, body, keyVariable, isKeyless } = request;
  const form = formOf(request);
  const text = inShellQuotes(json(body ?? {}));
  const isLong = form === undefined && text.length * 3 > longestArgument;
  const lines = [
    // `--globoff`: brackets in a URL are literal.
    `curl --globoff --silent --show-error --fail-with-body${isStreamed(request) ? ' --no-buffer' : ''} ${inShellQuotes(url)}`,
    ...(isKeyless === true ? [] : [`--header "Authorization: Bearer $${keyVariable}"`]),
    ...ownHeaders(request).map(([name, value]) => `--header ${inShellQuotes(`${name}: ${value}`)}`),
  ];
  if (form !== undefined) {
    for (const [name, value] of Object.entries(form.fields))
      lines.push(`--form-string ${inShellQuotes(`${name}=${value}`)}`);
    const file = form.fileName.replace(/["\\]/g, String.raw`\$&`);
    lines.push(`--form ${inShellQuotes(`file=@"${file}";type=${form.mediaType}`)}`);
  } else if (method === 'POST') {
    lines.push("--header 'Content-Type: application/json'");
    lines.push(isLong ? '--data-binary @-' : `--data-raw ${text}`);
  }
  // curl refuses to write a file to a terminal, and the result would be lost although it was charged.
  if (savesAnswer(request)) lines.push(`--output ${savedAs} --write-out '%{content_type} in ${savedAs}\\n'`);
  return `${isLong ? `printf '%s' ${text} | ` : ''}${lines.join(' \\\n  ')}\n`;
}

/** Without two backslashes in a row, which fish would merge inside quotes. */
function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll('\\\\', String.raw`\u005c`);
}

/** One word for the shell, whatever it contains. */
function inShellQuotes(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
