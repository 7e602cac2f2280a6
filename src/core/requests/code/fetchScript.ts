import {
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

/** The request as a TypeScript module for Node. */
export function asFetch(request: CodeRequest): string {
  const { method, url, body, keyVariable, isKeyless } = request;
  const form = formOf(request);
  const lines: string[] = [];
  if (form !== undefined) lines.push("import { openAsBlob } from 'node:fs';");
  if (savesAnswer(request)) lines.push("import { writeFile } from 'node:fs/promises';");
  lines.push(patientFetchImport, '', ...patientFetch);
  if (form !== undefined) {
    lines.push('', 'const form = new FormData();');
    for (const [name, value] of Object.entries(form.fields)) {
      lines.push(`form.append(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
    }
    const file = JSON.stringify(form.fileName);
    const type = JSON.stringify(form.mediaType);
    lines.push(`form.append('file', await openAsBlob(${file}, { type: ${type} }), ${file});`, '');
  }
  lines.push(`const response = await fetch(${JSON.stringify(url)}, {`, `  method: '${method}',`, '  headers: {');
  if (isKeyless !== true) lines.push(`    authorization: \`Bearer \${process.env.${keyVariable}}\`,`);
  if (method === 'POST' && form === undefined) lines.push("    'content-type': 'application/json',");
  for (const [name, value] of ownHeaders(request)) lines.push(`    ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  lines.push('  },');
  if (form !== undefined) lines.push('  body: form,');
  else if (method === 'POST') lines.push(`  body: JSON.stringify(${literal(body ?? {}, 2)}),`);
  lines.push('});', 'if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);', '');
  lines.push(...readAnswer(request));
  return `${lines.join('\n')}\n`;
}

function readAnswer(request: CodeRequest): readonly string[] {
  if (isStreamed(request)) {
    return [
      '// Server-sent events: `data: {…}` lines with a piece of the reply each, then `data: [DONE]`.',
      'for await (const text of response.body!.pipeThrough(new TextDecoderStream())) process.stdout.write(text);',
    ];
  }
  return savesAnswer(request) ? printedOrSaved : ['console.log(JSON.stringify(await response.json(), undefined, 2));'];
}
