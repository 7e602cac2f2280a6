import * as vscode from 'vscode';
import type { GeneratedImage, ImageAnswer } from '../../api/mediaTypes.ts';

/** Where an image is: at the service's address, or in a file here, which was paid for and must not be lost. */
export interface PlacedImage {
  readonly uri: vscode.Uri;
  readonly image: GeneratedImage;
}

/** Keeps images that came as bytes as files. Their names are ours, their types from the bytes themselves. */
export async function placeImages({ images }: ImageAnswer, folder: vscode.Uri): Promise<readonly PlacedImage[]> {
  return Promise.all(
    images.map(async (image) => {
      if (image.kind === 'url') return { uri: vscode.Uri.parse(image.url, true), image };
      const ending = image.mediaType === 'image/jpeg' ? 'jpg' : image.mediaType.slice('image/'.length);
      const uri = vscode.Uri.joinPath(folder, `image-${crypto.randomUUID()}.${ending}`);
      await vscode.workspace.fs.createDirectory(folder);
      await vscode.workspace.fs.writeFile(uri, image.bytes);
      return { uri, image };
    }),
  );
}
