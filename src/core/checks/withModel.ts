/** The text of a prompt file with this model in its front matter, otherwise unchanged. */
export function withModel(text: string, written: string): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const front = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text);
  if (front === null || front.index !== 0)
    return `---${lineEnd}model: ${yamlText(written)}${lineEnd}---${lineEnd}${text}`;
  const [, open = '', fields = ''] = front;
  const rest = text.slice(open.length + fields.length);
  const line = /^model:[^\r\n]*/m;
  const changed = line.test(fields)
    ? fields.replace(line, () => `model: ${yamlText(written)}`)
    : `${fields}model: ${yamlText(written)}${lineEnd}`;
  return open + changed + rest;
}

/** Unquoted if YAML parses it as the same text. */
function yamlText(text: string): string {
  return /^[A-Za-z][\w./@-]*(?::[\w./@-]+)*$/.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
