import * as vscode from 'vscode';
import { imageMediaTypeOf } from '../../api/operations/imageMediaType.ts';
import { pictureTokens } from '../../core/chat/pictureTokens.ts';
import {
  problemOfLargePicture,
  problemOfPictureFormat,
  problemOfUnreadableFile,
} from '../../core/problems/attachmentProblems.ts';
import { reasonOf } from '../../core/problems/reasonOf.ts';
import { type Attachment, pictureEndings, type PictureType } from '../../shared/attachment.ts';
import { maxPictureBytes, maxPictureSourceBytes } from '../../shared/messageLimits.ts';
import type { Problem } from '../../shared/problem.ts';

/** An image as it will be sent, scaled down by the page. */
export interface PagePicture {
  readonly id: string;
  readonly name: string;
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** An image file before it's scaled down. */
export interface PictureSource {
  readonly mediaType: PictureType;
  readonly bytes: Uint8Array;
}

/** @returns the attachment, or the reason why it can't be one */
export function attachedPicture({ id, name, width, height, bytes }: PagePicture): Attachment | Problem {
  const mediaType = pictureType(bytes);
  if (mediaType === undefined) return problemOfPictureFormat(name);
  if (bytes.length > maxPictureBytes) return problemOfLargePicture(name, maxPictureBytes);
  return {
    kind: 'picture',
    id,
    name,
    detail: name,
    mediaType,
    width,
    height,
    bytes: bytes.length,
    tokens: pictureTokens({ width, height }),
    at: Date.now(),
  };
}

/** Reads a file for the page, which scales it down. @returns its content, or the reason why it can't be attached */
export async function readPictureFile(uri: vscode.Uri, name: string): Promise<PictureSource | Problem> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxPictureSourceBytes) return problemOfLargePicture(name, maxPictureSourceBytes);
    const bytes = await vscode.workspace.fs.readFile(uri);
    const mediaType = pictureType(bytes);
    return mediaType === undefined ? problemOfPictureFormat(name) : { mediaType, bytes };
  } catch (error) {
    return problemOfUnreadableFile(name, reasonOf(error));
  }
}

function pictureType(bytes: Uint8Array): PictureType | undefined {
  const found = imageMediaTypeOf(bytes);
  return found !== undefined && isPictureType(found) ? found : undefined;
}

function isPictureType(mediaType: string): mediaType is PictureType {
  return Object.hasOwn(pictureEndings, mediaType);
}
