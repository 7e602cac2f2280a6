import { maxPictureBytes } from '../../../shared/messageLimits.ts';

/** An image as it's sent, with its size in pixels. */
export interface ScaledPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const sendable: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
const QUALITY = 0.9;

/**
 * The image unchanged if it fits, otherwise scaled down so that its longest side has `maxEdge` pixels. A format that
 * models don't accept becomes a PNG, and an image with too many bytes a JPEG. An animated GIF that is scaled down keeps
 * its first frame.
 * @param maxEdge 0 for images that aren't scaled
 * @throws if it isn't an image that the browser can read
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
  // Transparent areas would turn black.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}
