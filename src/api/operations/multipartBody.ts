import { randomUUID } from 'node:crypto';
import type { RequestBody } from '../transport/transport.ts';

export interface FilePart {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A multipart/form-data body (RFC 7578, names quoted as the HTML standard says). */
export function multipartBody(
  fields: Readonly<Record<string, string>>,
  files: Readonly<Record<string, FilePart>>,
): RequestBody {
  const boundary = `parlance-${randomUUID()}`;
  const pieces: (string | Uint8Array)[] = [];
  for (const [name, value] of Object.entries(fields)) {
    pieces.push(`--${boundary}\r\ncontent-disposition: form-data; name="${escapedName(name)}"\r\n\r\n${value}\r\n`);
  }
  for (const [name, file] of Object.entries(files)) {
    pieces.push(
      `--${boundary}\r\ncontent-disposition: form-data; name="${escapedName(name)}"; filename="${escapedName(file.name)}"\r\n`,
      `content-type: ${printable(file.mediaType)}\r\n\r\n`,
      file.bytes,
      '\r\n',
    );
  }
  pieces.push(`--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))),
  };
}

function escapedName(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

function printable(mediaType: string): string {
  return /^[\x20-\x7e]+$/.test(mediaType) ? mediaType : 'application/octet-stream';
}
