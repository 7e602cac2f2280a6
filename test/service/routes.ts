import { answerTranscription } from './audio/transcriptionEndpoint.ts';
import { answerCatalog, type CatalogSettings } from './catalog/catalogEndpoint.ts';
import { answerChat, answerMultimodalChat } from './chatEndpoint.ts';
import type { Exchange } from './exchange.ts';
import { answerFile } from './files/fileEndpoint.ts';
import type { RequestKind } from './inferenceLog.ts';
import { answerCompatibleImage, answerNativeImage } from './pictures/imageEndpoint.ts';
import type { ServiceSettings } from './serviceSettings.ts';
import { answerVideo } from './video/videoEndpoint.ts';

export type RouteSettings = ServiceSettings & CatalogSettings;

export interface Route {
  readonly methods: readonly string[];
  readonly kind: RequestKind;
  /** False for paths that are open to anyone who knows the URL. */
  readonly needsKey: boolean;
  readonly answer: (exchange: Exchange, settings: RouteSettings) => Promise<void>;
}

const chat = posted('chat', answerChat);
const transcription = posted('audio', answerTranscription);
const catalog: Route = { methods: ['GET'], kind: 'models', needsKey: true, answer: answerCatalog };
const file: Route = { methods: ['GET', 'HEAD'], kind: 'file', needsKey: false, answer: answerFile };

/**
 * Finds the handler of a path.
 * @param nativeSegment the service's own name in the native paths
 */
export function createRouter(nativeSegment: string): (path: string) => Route | undefined {
  const native = `/api/v1/${nativeSegment}`;
  const routes: ReadonlyMap<string, Route> = new Map([
    ['/v1/chat/completions', chat],
    ['/v1/videos/generations', posted('video', answerVideo)],
    ['/v1/images/generations', posted('image', answerCompatibleImage)],
    ['/v1/audio/transcriptions', transcription],
    ['/v1/models', catalog],
    [`${native}/chat/completions`, chat],
    [`${native}/image/generation`, posted('image', answerNativeImage)],
    [`${native}/audio/transcribe`, transcription],
    [`${native}/multimodal/chat`, posted('multimodal', answerMultimodalChat)],
    ['/api/v1/models', catalog],
  ]);
  return (path) => routes.get(path) ?? (path.startsWith('/files/') ? file : undefined);
}

function posted(kind: RequestKind, answer: Route['answer']): Route {
  return { methods: ['POST'], kind, needsKey: true, answer };
}
