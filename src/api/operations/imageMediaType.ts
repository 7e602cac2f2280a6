export type ImageMediaType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/avif';

interface Signature {
  readonly mediaType: ImageMediaType;
  /** Which Latin-1 text is at which position. */
  readonly marks: readonly (readonly [offset: number, text: string])[];
}

const signatures: readonly Signature[] = [
  { mediaType: 'image/png', marks: [[0, '\x89PNG\r\n\x1a\n']] },
  { mediaType: 'image/jpeg', marks: [[0, '\xff\xd8\xff']] },
  { mediaType: 'image/gif', marks: [[0, 'GIF87a']] },
  { mediaType: 'image/gif', marks: [[0, 'GIF89a']] },
  {
    mediaType: 'image/webp',
    marks: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
  { mediaType: 'image/avif', marks: [[4, 'ftypavif']] },
];

/**
 * The type of an image, from its first bytes, because a name or a header can't be trusted. Undefined for everything
 * else, including SVG, which can contain scripts.
 */
export function imageMediaTypeOf(bytes: Uint8Array): ImageMediaType | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const found = signatures.find(({ marks }) => marks.every(([offset, text]) => start.startsWith(text, offset)));
  return found?.mediaType;
}
