import { type SettingRule, textUpTo } from './settingRules.ts';

/**
 * `application`: only the user's own settings count, whatever a repository contains. For everything that decides where
 * data is sent, who reads it, or what the model is told. `window`: a workspace can set it.
 */
type SettingScope = 'application' | 'window';

/** A setting in package.json. */
export interface ContributedSetting<T> {
  readonly id: string;
  readonly scope: SettingScope;
  readonly default: T;
  readonly rule: SettingRule<T>;
}

export function contributed<T>(
  id: string,
  initial: NoInfer<T>,
  rule: SettingRule<T>,
  scope: SettingScope = 'application',
): ContributedSetting<T> {
  return { id, scope, default: initial, rule };
}

/** Separate from the others, because the status bar shows it from the start. Empty if none was selected. */
export const modelSetting = contributed('parlance.chat.model', '', textUpTo(256));
