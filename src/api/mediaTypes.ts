import type { MediaBody } from '../shared/media.ts';
import type { FileMediaType } from './operations/fileMediaType.ts';
import type { ImageMediaType } from './operations/imageMediaType.ts';
import type { ToolMessage } from './toolTypes.ts';
import type { AnswerOptions, CallOptions } from './inferenceCalls.ts';
import type { ApiChoice, ChatEvent, ChatMessage, ChatRequest } from './types.ts';

/** Body of a video generation (spec, VideoGenerationRequest). Absent fields are not sent, null is. */
export type VideoRequest = MediaBody<'video'>;

/** Spec, VideoGenerationResponse. */
export interface VideoAnswer {
  /** Unix time in seconds. */
  readonly created?: number;
  /** At least one. */
  readonly videos: readonly GeneratedVideo[];
  readonly requestId?: string;
}

/** `raw` is everything the service sent for this video, but the video itself. */
export type GeneratedVideo = { readonly raw: Readonly<Record<string, unknown>> } & (
  | {
      readonly kind: 'url';
      /** `http:` or `https:`. Any host: the key must not go there. */
      readonly url: string;
    }
  /** What it is was read from the bytes themselves. */
  | { readonly kind: 'bytes'; readonly url?: never; readonly mediaType: FileMediaType; readonly bytes: Uint8Array }
);

/** Body of the native image generation. Absent fields are not sent. */
export type ImageRequest = MediaBody<'image'>;

export interface ImageAnswer {
  /** Unix time in seconds. */
  readonly created?: number;
  /** At least one. */
  readonly images: readonly GeneratedImage[];
  readonly requestId?: string;
}

export type GeneratedImage =
  /** `http:` or `https:`. Any host: the key must not go there. */
  | { readonly kind: 'url'; readonly url: string }
  /** What it is was read from the bytes themselves. */
  | { readonly kind: 'bytes'; readonly mediaType: ImageMediaType; readonly bytes: Uint8Array };

/** A recording to be transcribed; held in memory until the answer came. */
export interface TranscriptionRequest {
  readonly model: string;
  readonly file: {
    /** Services tell the format by the name's ending. */
    readonly name: string;
    /** Such as `audio/wav`. */
    readonly mediaType: string;
    readonly bytes: Uint8Array;
  };
  /** `verbose_json` asks for segments where the service knows it. Not sent unless given. */
  readonly response_format?: string;
}

export interface Transcript {
  readonly text: string;
  /** Empty unless the service sent some. */
  readonly segments: readonly TranscriptSegment[];
  readonly language?: string;
  readonly durationSeconds?: number;
  readonly requestId?: string;
}

export interface TranscriptSegment {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly text: string;
}

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** `url`: `https:`, or `data:` with the picture in it. */
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

export interface MultimodalMessage {
  readonly role: ChatMessage['role'];
  readonly content: string | readonly ContentPart[];
}

/** A chat request whose messages may hold pictures. */
export interface MultimodalChatRequest extends Omit<ChatRequest, 'messages'> {
  readonly messages: readonly (MultimodalMessage | ToolMessage)[];
}

export interface ApiFormOption {
  /** Which of the service's two APIs is asked. Where absent: `auto`, and for a chat what the client was made for. */
  readonly api?: ApiChoice;
}

/**
 * The media operations as the floors above see them.
 *
 * Each throws an {@link ApiError}, or the signal's reason on a cancel. What failed may have been made
 * and charged all the same: `mayHaveBeenMade` tells. That holds for a cancel too, once it was sent.
 */
export interface MediaClient {
  generateVideo(request: VideoRequest, options?: AnswerOptions): Promise<VideoAnswer>;
  generateImage(request: ImageRequest, options?: AnswerOptions & ApiFormOption): Promise<ImageAnswer>;
  transcribeAudio(request: TranscriptionRequest, options?: AnswerOptions & ApiFormOption): Promise<Transcript>;
  streamMultimodalChat(request: MultimodalChatRequest, options?: CallOptions & ApiFormOption): AsyncIterable<ChatEvent>;
}
