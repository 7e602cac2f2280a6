import * as vscode from 'vscode';
import { promptFileEnding } from '../../../core/prompts/promptDefinition.ts';
import { chatParameters } from '../../../shared/chatParameters.ts';
import { folderName } from '../../attachments/filePaths.ts';
import { workspacePromptFolder } from './promptFiles.ts';
import { plainWindow } from '../../platform/plainWindow.ts';
import { uriExists } from '../../disk/uriFile.ts';

/** Asks for a folder and a name, creates a prompt file there, and opens it. */
export async function newPrompt(userFolder: vscode.Uri): Promise<void> {
  const folder = await chooseFolder(userFolder);
  if (folder === undefined) return;
  const name = await plainWindow.showInputBox({
    title: vscode.l10n.t('New Prompt'),
    prompt: vscode.l10n.t('Name of the prompt and its file'),
    placeHolder: vscode.l10n.t('explain-simply'),
    validateInput: async (text) => {
      const trouble = nameTrouble(text);
      if (trouble !== undefined) return trouble;
      return (await uriExists(fileOf(folder, text)))
        ? vscode.l10n.t('A prompt with this name already exists.')
        : undefined;
    },
  });
  if (name === undefined) return;
  const uri = fileOf(folder, name);
  // Checked again: it might have been created in the meantime.
  if (!(await uriExists(uri))) {
    await vscode.workspace.fs.createDirectory(folder);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(firstText()));
  }
  await vscode.window.showTextDocument(uri, { preview: false });
}

async function chooseFolder(userFolder: vscode.Uri): Promise<vscode.Uri | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder, _index, all) => ({
    icon: 'folder',
    label: vscode.l10n.t('In the workspace'),
    description: [folderName(folder, all), ...workspacePromptFolder].join('/'),
    detail: vscode.l10n.t('Shared with everyone who uses this workspace'),
    uri: vscode.Uri.joinPath(folder.uri, ...workspacePromptFolder),
  }));
  const yours = {
    icon: 'account',
    label: vscode.l10n.t('For yourself'),
    description: '',
    detail: vscode.l10n.t('In every workspace'),
    uri: userFolder,
  };
  if (folders.length === 0) return userFolder;
  const chosen = await plainWindow.showQuickPick([yours, ...folders], {
    title: vscode.l10n.t('New Prompt'),
    placeHolder: vscode.l10n.t('Who is it for?'),
  });
  return chosen?.uri;
}

/** Accepts only names that stand for a file in that folder on every system. */
export function nameTrouble(text: string): string | undefined {
  const name = text.trim();
  if (name === '') return vscode.l10n.t('Enter a name.');
  if (name.length > 80) return vscode.l10n.t('Enter a shorter name.');
  const isSafe = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._-]*$/u.test(name) && !name.endsWith('.');
  const isDevice = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name);
  return isSafe && !isDevice ? undefined : vscode.l10n.t('Use letters, digits, spaces, dots, dashes, and underscores.');
}

function fileOf(folder: vscode.Uri, name: string): vscode.Uri {
  return vscode.Uri.joinPath(folder, name.trim() + promptFileEnding);
}

function firstText(): string {
  return `---
description: ${vscode.l10n.t('What this prompt is for')}
# ${vscode.l10n.t('Where the reply goes: chat, currentChat, beside, cursor, replace, or compare')}
target: chat
# model: <provider>/<model>
${Object.values(chatParameters)
  .map(({ wire, example }) => `# ${wire}: ${example}`)
  .join('\n')}
---
${vscode.l10n.t('Explain this in simple words:')}

\${fence}\${languageId}
\${selection}
\${fence}
`;
}
