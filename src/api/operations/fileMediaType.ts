import { imageMediaTypeOf, type ImageMediaType } from './imageMediaType.ts';

export type FileMediaType = ImageMediaType | 'video/mp4' | 'video/webm' | 'video/quicktime' | 'video/ogg';

/** Number of bytes at the start of a file that identify its type. */
export const signatureBytes = 16;

/**
 * A file's type, from its first bytes, because a name or a header can't be trusted. Undefined for types that Parlance
 * doesn't store.
 */
export function fileMediaTypeOf(bytes: Uint8Array): FileMediaType | undefined {
  const image = imageMediaTypeOf(bytes);
  if (image !== undefined) return image;
  const start = Buffer.from(bytes.subarray(0, signatureBytes)).toString('latin1');
  if (start.startsWith('\x1a\x45\xdf\xa3')) return 'video/webm';
  if (start.startsWith('OggS')) return 'video/ogg';
  if (!start.startsWith('ftyp', 4)) return undefined;
  const brand = start.slice(8, 12);
  if (brand === 'qt  ') return 'video/quicktime';
  return videoBrands.test(brand) ? 'video/mp4' : undefined;
}

const videoBrands = /^(iso[2-9m]|mp4[12v]|avc1|M4V |M4VH|dash|msnv|mmp4|f4v |3g[2ep][0-9a-z])$/;
