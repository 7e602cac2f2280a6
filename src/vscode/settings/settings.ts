import * as vscode from 'vscode';
import { type ChatOptions, chatOptionsOf, optionNames } from '../../shared/chat.ts';
import { chatNumbers } from '../../shared/chatParameters.ts';
import { mapTable } from '../../shared/mapTable.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { ContributedSetting } from './contributedSetting.ts';
import { ConfigurationSetting, type MisfitListener, type Setting } from './setting.ts';
import { settings as contributed } from './settingList.ts';
import { modelFromText } from '../../core/models/modelText.ts';

type Contributed = typeof contributed;
type SettingValues = {
  readonly [N in keyof Contributed]: Contributed[N] extends ContributedSetting<infer T> ? Setting<T> : never;
};

/** Parlance's settings, one field each. */
export interface Settings extends SettingValues, vscode.Disposable {
  /** For conversations that leave a field out. Fields that aren't set are absent. */
  chatDefaults(): ChatOptions;
  /** Fires with the new defaults, once for each setting that changed. */
  readonly onDidChangeChatDefaults: vscode.Event<ChatOptions>;
}

export function openSettings(onMisfit: MisfitListener): Settings {
  const own = new DisposableList();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each row creates the setting of its own type
  const values = mapTable(contributed, (row: ContributedSetting<unknown>) =>
    own.add(new ConfigurationSetting(row, onMisfit)),
  ) as SettingValues;
  const chatDefaultsChanged = own.add(new vscode.EventEmitter<ChatOptions>());
  for (const name of optionNames) {
    own.add(values[name].onDidChange(() => chatDefaultsChanged.fire(chatDefaults())));
  }
  return {
    ...values,
    chatDefaults,
    onDidChangeChatDefaults: chatDefaultsChanged.event,
    dispose: () => own.dispose(),
  };

  function chatDefaults(): ChatOptions {
    const model = values.model.value.trim();
    const systemPrompt = values.systemPrompt.value;
    return chatOptionsOf({
      model: model === '' ? undefined : modelFromText(model),
      systemPrompt: systemPrompt.trim() === '' ? undefined : systemPrompt,
      ...chatNumbers((name) => values[name].value),
      stream: values.stream.value,
    });
  }
}
