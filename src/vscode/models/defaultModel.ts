import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { modelSetting } from '../settings/contributedSetting.ts';
import type { PickModel } from './pickModel.ts';
import { modelText } from '../../core/models/modelText.ts';

/** Selects the default model and stores it in the user's settings. */
export async function chooseDefaultModel(
  pickModel: PickModel,
  current: ModelRef | undefined,
): Promise<ModelRef | undefined> {
  const model = await pickModel(current);
  if (model !== undefined) await setDefaultModel(model);
  return model;
}

export async function setDefaultModel(model: ModelRef): Promise<void> {
  await vscode.workspace
    .getConfiguration()
    .update(modelSetting.id, modelText(model), vscode.ConfigurationTarget.Global);
}
