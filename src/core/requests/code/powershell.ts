import { formOf, isStreamed, ownHeaders, savedAs, savesAnswer, type CodeRequest } from './codeRequest.ts';

/**
 * The request for Windows' own curl in PowerShell 5.1 or newer. Text from the user or a model is ASCII in single
 * quotes: PowerShell treats four more characters like an apostrophe, and it reads a script without a byte order mark in
 * an old code page, in which bytes of any character can be such quotes. The text is passed to curl as input, because
 * PowerShell 5.1 breaks arguments that contain double quotes.
 */
export function asPowerShell(request: CodeRequest): string {
  const { method, url, body, keyVariable, isKeyless } = request;
  const form = formOf(request);
  const headers = ownHeaders(request);
  const lines = [
    // In PowerShell 5.1, `curl` without an extension is another command.
    `curl.exe --globoff --silent --show-error --fail-with-body${isStreamed(request) ? ' --no-buffer' : ''} ${inPowerShellQuotes(asciiAddress(url))}`,
    ...(isKeyless === true ? [] : [`--header "Authorization: Bearer $env:${keyVariable}"`]),
    ...headers.filter(isPassedOn).map(([name, value]) => `--header ${inPowerShellQuotes(`${name}: ${value}`)}`),
  ];
  let input = '';
  if (form !== undefined) {
    const file = form.fileName.replace(/["\\]/g, String.raw`\$&`);
    const options = [
      ...Object.entries(form.fields).map(([name, value]) => ['form-string', `${name}=${value}`] as const),
      ['form', `file=@"${file}";type=${form.mediaType}`] as const,
    ];
    const config = options.map(([option, value]) => `  ${expression(`${option} = ${configText(value)}`)}`);
    input = `$OutputEncoding = [System.Text.UTF8Encoding]::new($false)\n@(\n${config.join('\n')}\n) | `;
    lines.push("--config '-'");
  } else if (method === 'POST') {
    input = `${inPowerShellQuotes(asciiJson(body ?? {}))} | `;
    lines.push("--header 'Content-Type: application/json'", "--data-binary '@-'");
  }
  // curl refuses to write a file to a terminal, and the result would be lost although it was charged.
  if (savesAnswer(request)) lines.push(`--output ${savedAs} --write-out '%{content_type} in ${savedAs}'`);
  const left = headers
    .filter((header) => !isPassedOn(header))
    .map(([name]) => `# Add the header ${name}: PowerShell can't pass on its quotes or backslashes.\n`);
  return `${left.join('')}${input}${lines.join(' `\n  ')}\n`;
}

/** @param ascii anything else throws instead of being written. */
function inPowerShellQuotes(ascii: string): string {
  if (/[^\n -~]/.test(ascii)) throw new Error('This is to be ASCII');
  return `'${ascii.replaceAll("'", "''")}'`;
}

/** PowerShell 5.1 splits an argument at a double quote, and later versions don't, or split it elsewhere. */
function isPassedOn([, value]: readonly [string, string]): boolean {
  return !/["\\]/.test(value);
}

/** A PowerShell string in ASCII. */
function expression(text: string): string {
  const parts = text.match(/[ -~]+|[^ -~]/g) ?? [];
  return parts
    .map((part) =>
      /[ -~]/.test(part) ? inPowerShellQuotes(part) : `[char]0x${part.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .join(' + ');
}

/** A value in curl's configuration file. */
function configText(value: string): string {
  const escapes: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\v': 'v' };
  return `"${value.replace(/["\\\n\r\t\v]/g, (sign) => `\\${escapes[sign] ?? sign}`)}"`;
}

/**
 * JSON can write any character as its number. Quotes and percent signs in a text are written that way too: someone
 * might paste the script into cmd.exe, for which an escaped quote ends a text and the rest of it is a command.
 */
function asciiJson(value: unknown): string {
  const json = JSON.stringify(value, undefined, 2);
  return json
    .replaceAll(/\\(.)/g, (escape, sign) => (sign === '"' ? numbered('"') : escape))
    .replace(/[^\n -$&-~]/g, numbered);
}

function numbered(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** An argument without spaces and double quotes, which PowerShell 5.1 passes on unchanged. */
function asciiAddress(url: string): string {
  return new URL(url).href.replace(/["\\\s]/g, encodeURIComponent);
}
