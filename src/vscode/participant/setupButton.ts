import type * as vscode from 'vscode';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import { commandIds } from '../settings/contributions.ts';

/** The steps that a command takes. The others need a question of their own. */
const commandOf: Readonly<Partial<Record<ProblemActionKind, string>>> = {
  setApiKey: commandIds.setApiKey,
  setBaseUrl: commandIds.setBaseUrl,
  selectModel: commandIds.selectDefaultModel,
  openSettings: commandIds.openSettings,
};

/** The first step that VS Code's chat can offer below a reply that failed, because something has to be set up first. */
export function setupButton({ actions, service }: Problem): vscode.Command | undefined {
  const [first] = actions.flatMap(({ kind, label: title }) => {
    const command = commandOf[kind];
    return command === undefined ? [] : [{ command, title }];
  });
  return first && { ...first, ...(service !== undefined && { arguments: [{ service }] }) };
}
