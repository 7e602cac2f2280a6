import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../workbench/folders.ts';

/** VS Code's own commands by their titles in the command palette. */
const ofVsCode: Readonly<Record<string, string>> = {
  'Add Cursor Below': 'editor.action.insertCursorBelow',
  'Developer: Reload Window': 'workbench.action.reloadWindow',
  'File: Focus on Files Explorer': 'workbench.files.action.focusFilesExplorer',
  'File: Save': 'workbench.action.files.save',
  'Git: Stage All Changes': 'git.stageAll',
  'Notifications: Clear All Notifications': 'notifications.clearAll',
  'View: Close All Editors': 'workbench.action.closeAllEditors',
  'View: Close Primary Side Bar': 'workbench.action.closeSidebar',
  'View: Close Panel': 'workbench.action.closePanel',
  'View: Focus First Editor Group': 'workbench.action.focusFirstEditorGroup',
  'View: Focus Second Editor Group': 'workbench.action.focusSecondEditorGroup',
  'View: Hide Secondary Side Bar': 'workbench.action.closeAuxiliaryBar',
  'View: Show Explorer': 'workbench.view.explorer',
  'View: Toggle Secondary Side Bar Visibility': 'workbench.action.toggleAuxiliaryBar',
};

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category?: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>;
  };
}

let known: ReadonlyMap<string, string> | undefined;

/** @returns the ID of a command by its title in the Command Palette, or undefined if only the palette knows it. */
export async function commandId(title: string): Promise<string | undefined> {
  known ??= await readIds();
  return known.get(withoutDots(title));
}

async function readIds(): Promise<ReadonlyMap<string, string>> {
  const { contributes }: Manifest = await readJson('package.json');
  const words: Readonly<Record<string, string>> = await readJson('package.nls.json');
  const inWords = (text: string): string => text.replace(/^%(.+)%$/, (_, key: string) => words[key] ?? key);
  const views = Object.values(contributes.views).flat();
  // Some have the title of one that the palette offers, which comes last here and so is the one that's meant.
  const hidden = new Set(
    contributes.menus.commandPalette.flatMap((row) => (row.when === 'false' ? [row.command] : [])),
  );
  const commands = contributes.commands.toSorted(
    (one, other) => Number(hidden.has(other.command)) - Number(hidden.has(one.command)),
  );
  return new Map([
    ...Object.entries(ofVsCode),
    ...views.map(({ id, name }) => [`Focus on ${inWords(name)} View`, `${id}.focus`] as const),
    ...commands.map(
      ({ command, title, category }) =>
        [withoutDots(`${category === undefined ? '' : `${inWords(category)}: `}${inWords(title)}`), command] as const,
    ),
  ]);
}

/** A title that asks for input ends with "…", which nobody types. */
function withoutDots(title: string): string {
  return title.replace(/…$/, '');
}

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(join(projectFolder, name), 'utf8'));
}
