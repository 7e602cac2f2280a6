import type { Delivery } from '../files/delivery.ts';
import type { Filming, Hearing, ModelDefinition, Painting, Price } from './modelDefinition.ts';

const contextWindow = 4096;
const videoPrice: Price = { perPromptToken: 0, perCompletionToken: 0, perRequest: 0.05, perSecond: 0.01 };
const imagePrice: Price = { perPromptToken: 0, perCompletionToken: 0, perRequest: 0.02 };
const audioPrice: Price = { perPromptToken: 0, perCompletionToken: 0, perRequest: 0, perSecond: 0.0001 };

/** The catalog's models that generate or hear something other than text. */
export function mediaModels(): readonly ModelDefinition[] {
  return [
    videoModel('video', 'Returns the clip of 1, 2, or 5 s that is closest to the requested length.'),
    videoModel('video-slow', 'Generates a video like local/video, and takes 20 s.', { seconds: 20 }),
    imageModel('image', 'Draws discs on a gradient, from prompt and seed; returns a link to a PNG.', 'url'),
    imageModel('image-base64', 'Draws like local/image; returns the PNG as b64_json.', 'base64'),
    imageModel('image-bytes', 'Draws like local/image; returns the bytes of the PNG and no JSON.', 'bytes'),
    audioModel('transcriber', 'Returns the length and format of a WAV file; recognizes nothing.', false),
    audioModel('transcriber-verbose', 'Like local/transcriber; returns timed segments too.', true),
  ];
}

/** Video models with a different response, or whose link leads to something else. */
export function oddVideoModels(): readonly ModelDefinition[] {
  return [
    oddVideoModel('video-url-field', 'Like local/video; the link arrives as `video_url`.', { answer: 'videoUrl' }),
    oddVideoModel('video-job', 'Returns `{id, status}` as services do that work in jobs, and no video.', {
      answer: 'job',
    }),
    oddVideoModel('video-empty', 'Returns `data` without an element.', { answer: 'empty' }),
    oddVideoModel('video-no-link', 'Returns `data` with an element that has no link.', { answer: 'noLink' }),
    ...([403, 404, 410, 500] as const).map((status) =>
      oddDelivery(`video-link-${status}`, `its link returns ${status}`, { type: 'refused', status }),
    ),
    oddDelivery('video-link-portal', 'its link leads to the login page of a network', { type: 'portal' }),
    oddDelivery('video-download-slow', 'a download takes 10 s', { type: 'slow', seconds: 10 }),
    oddDelivery('video-download-broken', 'each download breaks off after half; Range gets the rest', {
      type: 'broken',
    }),
    oddDelivery('video-download-changing', 'each download breaks off after half, and has another ETag', {
      type: 'changing',
    }),
    oddDelivery('video-download-silent', 'a download stops after half, and stays open', { type: 'silent' }),
    oddDelivery('video-download-short', 'Content-Length promises 1000 bytes that never arrive', { type: 'short' }),
    oddDelivery('video-download-plain', 'a download supports no Range and has no ETag and no length', {
      type: 'plain',
    }),
  ];
}

function oddDelivery(name: string, what: string, delivery: Delivery): ModelDefinition {
  return oddVideoModel(name, `Generates a video like local/video; ${what}.`, { delivery });
}

function oddVideoModel(name: string, description: string, differences: Partial<Filming>): ModelDefinition {
  return { ...videoModel(name, description, differences), hidden: true };
}

function videoModel(name: string, description: string, differences: Partial<Filming> = {}): ModelDefinition {
  const behavior: Filming = { type: 'filming', answer: 'url', delivery: { type: 'good' }, ...differences };
  return mediaModel({ id: `local/${name}`, description, kind: 'video', price: videoPrice, behavior });
}

function imageModel(name: string, description: string, answer: Painting['answer']): ModelDefinition {
  const behavior: Painting = { type: 'painting', answer };
  return mediaModel({ id: `local/${name}`, description, kind: 'image', price: imagePrice, behavior });
}

function audioModel(name: string, description: string, isVerbose: boolean): ModelDefinition {
  const behavior: Hearing = { type: 'hearing', isVerbose };
  return mediaModel({ id: `local/${name}`, description, kind: 'audio', price: audioPrice, behavior });
}

function mediaModel(
  parts: Pick<ModelDefinition, 'id' | 'description' | 'kind' | 'price' | 'behavior'>,
): ModelDefinition {
  return { contextWindow, maxOutputTokens: 0, hidden: false, ...parts };
}
