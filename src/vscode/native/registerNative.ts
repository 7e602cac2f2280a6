import type * as vscode from 'vscode';
import { DisposableList } from '../disposables.ts';
import { registerLanguageModels, type LanguageModelsDeps } from '../languageModel/registerLanguageModels.ts';

export interface NativeDeps extends LanguageModelsDeps {}

/** Parlance inside VS Code's own features. */
export function registerNative(deps: NativeDeps): vscode.Disposable {
  const own = new DisposableList();
  own.add(registerLanguageModels(deps));
  return own;
}
