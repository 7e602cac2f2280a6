import { setTimeout } from 'node:timers/promises';
import type { Exchange } from '../exchange.ts';
import { playModelFault } from '../faults/playModelFault.ts';
import { findModel } from '../models/findModel.ts';
import type { ServiceSettings } from '../serviceSettings.ts';
import { catalogBody, type CatalogShape } from './catalogBody.ts';

/** How often a list that's held looks whether it still is, in milliseconds. */
const holdMs = 10;

/** A shape, or an error or fault model's name without its provider: the catalog then breaks like that model. */
export type CatalogForm = CatalogShape | `error-${number}` | `fault-${string}`;

export interface CatalogSettings {
  readonly catalogSize: number;
  readonly catalogForm: CatalogForm;
  readonly listsHidden: boolean;
}

/** The model catalog, on the compatible and on the native path. */
export async function answerCatalog(exchange: Exchange, settings: ServiceSettings & CatalogSettings): Promise<void> {
  const { models, catalogForm, catalogSize, listsHidden } = settings;
  if (isBroken(catalogForm)) {
    const model = findModel(models, `local/${catalogForm}`);
    if (model.behavior.type === 'breaking') await playModelFault(exchange, model.id, model.behavior.fault, settings);
    return;
  }
  while (settings.areListsHeld) await setTimeout(holdMs, undefined, { signal: exchange.signal });
  const body = catalogBody(models.values(), { size: catalogSize, listsHidden, shape: catalogForm });
  exchange.settle('done');
  exchange.sendJson(200, body);
}

function isBroken(form: CatalogForm): form is Exclude<CatalogForm, CatalogShape> {
  return /^(error|fault)-/.test(form);
}
