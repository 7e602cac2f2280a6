import { formOf, isStreamed, type CodeRequest } from './codeRequest.ts';

/** The request for curl in a POSIX shell. */
export function asCurl(request: CodeRequest): string {
  const { method, url, body } = request;
  const form = formOf(request);
  const lines = [
    // `--globoff`: brackets in an address are meant as they are.
    `curl --globoff --silent --show-error --fail-with-body${isStreamed(request) ? ' --no-buffer' : ''} ${quoted(url)}`,
    '--header "Authorization: Bearer $SERVICE_API_KEY"',
  ];
  if (form !== undefined) {
    for (const [name, value] of Object.entries(form.fields)) lines.push(`--form-string ${quoted(`${name}=${value}`)}`);
    const file = form.fileName.replace(/["\\]/g, String.raw`\$&`);
    lines.push(`--form ${quoted(`file=@"${file}";type=${form.mediaType}`)}`);
  } else if (method === 'POST') {
    lines.push("--header 'Content-Type: application/json'");
    lines.push(`--data-raw ${quoted(JSON.stringify(body ?? {}, undefined, 2))}`);
  }
  return `${lines.join(' \\\n  ')}\n`;
}

/** One word for the shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
