import * as vscode from 'vscode';
import { modelFromText } from '../../core/models/modelText.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import type { Services } from '../service/services.ts';
import { modelSetting } from '../settings/contributedSetting.ts';
import type { Setting } from '../settings/setting.ts';
import { setDefaultModel } from '../models/defaultModel.ts';

/**
 * Keeps the default model the same when services are added or removed. The setting names a service only while there are
 * several, so its text could mean a model of another service then, which would receive the next message. The default
 * model of a service that was removed is removed too.
 */
export function keepDefaultModel(
  services: Pick<Services, 'find' | 'onDidChange'>,
  setting: Setting<string>,
  onError: (error: unknown) => void,
): vscode.Disposable {
  let text = '';
  let model: ModelRef = '';
  const read = (): void => {
    text = setting.value.trim();
    model = text === '' ? '' : modelFromText(text);
  };
  read();
  const follow = (): void => {
    if (model === '' || setting.value.trim() !== text || modelFromText(text) === model) return read();
    const isGone = services.find(refParts(model).service) === undefined;
    const kept = isGone
      ? vscode.workspace.getConfiguration().update(modelSetting.id, undefined, vscode.ConfigurationTarget.Global)
      : setDefaultModel(model);
    kept.then(read, onError);
  };
  return vscode.Disposable.from(setting.onDidChange(read), services.onDidChange(follow));
}
