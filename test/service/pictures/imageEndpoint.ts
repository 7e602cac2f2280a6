import type { Exchange } from '../exchange.ts';
import { playModelFault } from '../faults/playModelFault.ts';
import { findModel, unable } from '../models/findModel.ts';
import { readJsonBody } from '../readJsonBody.ts';
import type { ServiceSettings } from '../serviceSettings.ts';
import { countTokens } from '../tokenizer.ts';
import { encodePng } from './encodePng.ts';
import { type ImageRequest, parseCompatibleImageRequest, parseNativeImageRequest } from './imageRequest.ts';
import { paint } from './paint.ts';

const mediaType = 'image/png';

/** Image generation (spec, native paths). */
export function answerNativeImage(exchange: Exchange, settings: ServiceSettings): Promise<void> {
  return answer(exchange, settings, parseNativeImageRequest);
}

/** Image generation on compatible services: `POST {base}/images/generations`. */
export function answerCompatibleImage(exchange: Exchange, settings: ServiceSettings): Promise<void> {
  return answer(exchange, settings, parseCompatibleImageRequest);
}

async function answer(
  exchange: Exchange,
  settings: ServiceSettings,
  parse: (body: unknown) => ImageRequest,
): Promise<void> {
  const body = await readJsonBody(exchange.request);
  exchange.record({ requestBody: body });
  const request = parse(body);
  const promptTokens = countTokens(request.prompt);
  exchange.record({ model: request.model, promptTokens });

  const model = findModel(settings.models, request.model);
  const { behavior } = model;
  if (behavior.type !== 'breaking' && behavior.type !== 'painting') throw unable(model, 'make images');
  const balance = model.balance ?? settings.account;
  balance.check();
  if (behavior.type === 'breaking') {
    await playModelFault(exchange, model.id, behavior.fault, settings, promptTokens);
    return;
  }

  const cost = model.price.perRequest * request.count;
  balance.charge(cost);
  const { count, width, height } = request;
  exchange.record({ cost, completionTokens: 0, made: `${count} × ${width} × ${height} PNG` });
  const images: Buffer[] = [];
  for (let index = 0; index < count; index += 1) {
    // Each of several images has its own seed, or they would all be the same.
    images.push(await encodePng(width, height, paint({ ...request, seed: request.seed + index })));
    exchange.signal.throwIfAborted();
  }
  sendImages(exchange, settings, images, request.answer ?? behavior.answer);
}

function sendImages(
  exchange: Exchange,
  settings: ServiceSettings,
  images: readonly Buffer[],
  form: 'url' | 'base64' | 'bytes',
): void {
  const totalSeconds = (performance.now() - exchange.arrivedAt) / 1000;
  exchange.settle('done', { totalSeconds });
  if (form === 'bytes') {
    const bytes = images[0] ?? Buffer.alloc(0);
    exchange.record({ status: 200 });
    exchange.response.writeHead(200, { 'content-type': mediaType, 'content-length': bytes.length }).end(bytes);
    return;
  }
  const data = images.map((bytes) =>
    form === 'url'
      ? { url: settings.originHere(exchange) + settings.files.add(bytes, mediaType) }
      : { b64_json: bytes.toString('base64') },
  );
  exchange.sendJson(200, { created: Math.floor(settings.now() / 1000), data });
}
