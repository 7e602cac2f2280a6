import { maxPictureBytes } from '../../../shared/messageLimits.ts';

/** A picture as it is sent, with its size in pixels. */
export interface ScaledPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const sendable: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
const QUALITY = 0.9;

/**
 * The picture as it is where it fits, else scaled down so that its longer side is `maxEdge` pixels. Of a
 * format that models do not take it becomes a PNG; of one that is too many bytes, a JPEG. A moving GIF that
 * is scaled down keeps its first picture.
 *
 * @param maxEdge 0 for pictures that are not scaled
 * @throws when it is no picture that the browser can read
 */
export async function scaledPicture(blob: Blob, maxEdge: number): Promise<ScaledPicture> {
  const bitmap = await createImageBitmap(blob);
  try {
    const longer = Math.max(bitmap.width, bitmap.height);
    const scale = maxEdge > 0 && longer > maxEdge ? maxEdge / longer : 1;
    const width = Math.max(1, Math.round(bitmap.width * scale));
    const height = Math.max(1, Math.round(bitmap.height * scale));
    const isAsItIs = scale === 1 && sendable.has(blob.type) && blob.size <= maxPictureBytes;
    const sent = isAsItIs ? blob : await drawn(bitmap, width, height, blob.type);
    return { bytes: new Uint8Array(await sent.arrayBuffer()), width, height };
  } finally {
    bitmap.close();
  }
}

async function drawn(bitmap: ImageBitmap, width: number, height: number, type: string): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser has no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  const kept = type === 'image/jpeg' || type === 'image/webp' ? type : 'image/png';
  const encoded = await canvas.convertToBlob({ type: kept, quality: QUALITY });
  if (encoded.size <= maxPictureBytes || kept === 'image/jpeg') return encoded;
  // What can be seen through would turn black.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}
