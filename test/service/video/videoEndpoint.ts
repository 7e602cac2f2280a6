import { setTimeout } from 'node:timers/promises';
import type { Exchange } from '../exchange.ts';
import { playModelFault } from '../faults/playModelFault.ts';
import { findModel, unable } from '../models/findModel.ts';
import type { Filming } from '../models/modelDefinition.ts';
import { readJsonBody } from '../readJsonBody.ts';
import type { ServiceSettings } from '../serviceSettings.ts';
import { countTokens } from '../tokenizer.ts';
import { nearestClip, readClip } from './videoClip.ts';
import { lengthOf, parseVideoRequest } from './videoRequest.ts';

const mediaType = 'video/webm';
/** How often a held video asks whether it may be finished. */
const holdMs = 20;

/** Create video generation (spec). */
export async function answerVideo(exchange: Exchange, settings: ServiceSettings): Promise<void> {
  const created = Math.floor(settings.now() / 1000);
  const body = await readJsonBody(exchange.request);
  exchange.record({ requestBody: body });
  const request = parseVideoRequest(body);
  const promptTokens = countTokens(request.prompt);
  exchange.record({ model: request.model, promptTokens });

  const model = findModel(settings.models, request.model);
  const { behavior } = model;
  if (behavior.type !== 'breaking' && behavior.type !== 'filming') throw unable(model, 'make videos');
  const balance = model.balance ?? settings.account;
  balance.check();
  if (behavior.type === 'breaking') {
    await playModelFault(exchange, model.id, behavior.fault, settings, promptTokens);
    return;
  }

  const { signal } = exchange;
  const seconds = await lengthOf(request, signal);
  const clip = nearestClip(seconds);
  // Charged once it has begun, even if the client leaves: another request is charged again.
  const share = request.draft ? 0.5 : 1;
  const cost = share * (model.price.perRequest + seconds * (model.price.perSecond ?? 0));
  balance.charge(cost);
  exchange.record({ cost, completionTokens: 0, made: `${clip.seconds} s, ${clip.width} × ${clip.height}` });
  const leastMs = share * (behavior.seconds ?? settings.videoSeconds) * 1000;
  const [bytes] = await Promise.all([readClip(clip), setTimeout(leastMs, undefined, { signal })]);
  while (settings.areVideosHeld) await setTimeout(holdMs, undefined, { signal });

  const addLink = (): string => settings.originHere(exchange) + settings.files.add(bytes, mediaType, behavior.delivery);
  exchange.settle('done', { totalSeconds: (performance.now() - exchange.arrivedAt) / 1000 });
  exchange.sendJson(200, answerBody(behavior, { created, id: exchange.id, addLink }));
}

function answerBody(
  { answer }: Filming,
  { created, id, addLink }: { readonly created: number; readonly id: string; readonly addLink: () => string },
): object {
  switch (answer) {
    case 'url':
      return { created, data: [{ url: addLink() }] };
    case 'videoUrl':
      return { created, data: [{ video_url: addLink() }] };
    case 'job':
      return { id: `job_${id}`, status: 'queued' };
    case 'empty':
      return { created, data: [] };
    case 'noLink':
      return { created, data: [{}] };
  }
}
