/** The content of a base64 `data:` URL; undefined for any other URL. */
export function dataUrlBytes(url: string): Uint8Array | undefined {
  const comma = url.indexOf(',');
  const head = url.slice(0, comma);
  return head.startsWith('data:') && head.endsWith(';base64') ? Buffer.from(url.slice(comma + 1), 'base64') : undefined;
}
