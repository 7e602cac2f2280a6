import type * as vscode from 'vscode';
import { DisposableList } from '../disposables.ts';
import { registerLanguageModels, type LanguageModelsDeps } from '../languageModel/registerLanguageModels.ts';
import { registerStatusBar, type StatusBarDeps } from '../statusBar/registerStatusBar.ts';

export interface NativeDeps extends LanguageModelsDeps, Omit<StatusBarDeps, 'model'> {}

/** Parlance inside VS Code's own features. */
export function registerNative(deps: NativeDeps): vscode.Disposable {
  const own = new DisposableList();
  own.add(registerLanguageModels(deps));
  own.add(registerStatusBar({ ...deps, model: deps.settings.model }));
  return own;
}
