import type * as vscode from 'vscode';
import { registerAgentTools } from '../agentTools/registerAgentTools.ts';
import { type DiagnosticsDeps, registerDiagnostics } from '../diagnostics/registerDiagnostics.ts';
import { DisposableList } from '../disposables.ts';
import { registerCommitMessage, type CommitMessageDeps } from '../commitMessage/registerCommitMessage.ts';
import { registerLanguageModels, type LanguageModelsDeps } from '../languageModel/registerLanguageModels.ts';
import { registerParticipant, type ParticipantDeps } from '../participant/registerParticipant.ts';
import type { Settings } from '../settings.ts';
import { registerStatusBar, type StatusBarDeps } from '../statusBar/registerStatusBar.ts';

export interface NativeDeps
  extends
    LanguageModelsDeps,
    CommitMessageDeps,
    Pick<DiagnosticsDeps, 'redactor' | 'notifier'>,
    Omit<ParticipantDeps, 'endpoint'>,
    Omit<StatusBarDeps, 'model' | 'history'> {
  readonly settings: Settings;
  readonly history: StatusBarDeps['history'] & DiagnosticsDeps['history'];
}

/** Parlance inside VS Code's own features. */
export function registerNative(deps: NativeDeps): vscode.Disposable {
  const own = new DisposableList();
  own.add(registerLanguageModels(deps));
  own.add(registerStatusBar({ ...deps, model: deps.settings.model }));
  own.add(registerCommitMessage(deps));
  own.add(registerDiagnostics(deps));
  own.add(registerAgentTools(deps));
  own.add(registerParticipant(deps));
  return own;
}
