import type { Exchange } from '../exchange.ts';
import { playModelFault } from '../faults/playModelFault.ts';
import { findModel } from '../models/findModel.ts';
import type { ServiceSettings } from '../serviceSettings.ts';
import { catalogueBody, type CatalogueShape } from './catalogueBody.ts';

/** A shape, or the name of an error or fault model without its provider: then the catalogue breaks like that model. */
export type CatalogueForm = CatalogueShape | `error-${number}` | `fault-${string}`;

export interface CatalogueSettings {
  readonly catalogueSize: number;
  readonly catalogueForm: CatalogueForm;
  readonly listsHidden: boolean;
}

/** The model catalogue, on the compatible and on the native path. */
export async function answerCatalogue(
  exchange: Exchange,
  settings: ServiceSettings & CatalogueSettings,
): Promise<void> {
  const { models, catalogueForm, catalogueSize, listsHidden } = settings;
  if (isBroken(catalogueForm)) {
    const model = findModel(models, `local/${catalogueForm}`);
    if (model.behaviour.type === 'breaking') await playModelFault(exchange, model.id, model.behaviour.fault, settings);
    return;
  }
  const body = catalogueBody(models.values(), { size: catalogueSize, listsHidden, shape: catalogueForm });
  exchange.settle('done');
  exchange.sendJson(200, body);
}

function isBroken(form: CatalogueForm): form is Exclude<CatalogueForm, CatalogueShape> {
  return /^(error|fault)-/.test(form);
}
