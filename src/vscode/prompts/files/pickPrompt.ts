import * as vscode from 'vscode';
import { hasInOrder } from '../../../core/models/hasInOrder.ts';
import type { BuiltInPromptId } from '../../../core/prompts/builtInPrompts.ts';
import type { PromptDefinition, PromptTarget } from '../../../core/prompts/promptDefinition.ts';
import type { RowMeaning } from '../../../core/prompts/promptRows.ts';
import { keysOf } from '../../../shared/mapTable.ts';
import { DisposableList } from '../../platform/disposables.ts';
import { targetItems } from '../run/chooseTarget.ts';
import { findPrompts, type FoundPrompt } from './promptFiles.ts';
import { promptLimits } from './promptPaths.ts';
import type { ShownItem } from '../../platform/plainItems.ts';
import { plainWindow } from '../../platform/plainWindow.ts';

/** What a user selected in the list of prompts. */
export type PromptChoice =
  | (RowMeaning<vscode.Uri> & { readonly target?: PromptTarget | 'ask' })
  | { readonly type: 'edit'; readonly file: vscode.Uri };

interface Row extends ShownItem {
  readonly choice?: PromptChoice;
}

/**
 * Lists all prompts: built-in, the user's own, and the workspace's. Undefined if the user cancels.
 * @param decided where the reply of any of them goes, if that doesn't depend on the prompt
 */
export async function pickPrompt(
  builtIns: Readonly<Record<BuiltInPromptId, PromptDefinition>>,
  userFolder: vscode.Uri,
  decided: PromptTarget | 'ask' | undefined,
): Promise<PromptChoice | undefined> {
  const whereOf = (own: PromptTarget) => (decided === 'ask' ? '' : targetWord(decided ?? own));
  const own = new DisposableList();
  const pick = own.add(plainWindow.createQuickPick<Row>());
  const chosen = Promise.withResolvers<PromptChoice | undefined>();
  const buttons = {
    elsewhere: {
      iconPath: new vscode.ThemeIcon('arrow-swap'),
      tooltip: vscode.l10n.t('Select Reply Location'),
    },
    edit: { iconPath: new vscode.ThemeIcon('edit'), tooltip: vscode.l10n.t('Edit') },
  };
  pick.title = vscode.l10n.t('Run Prompt');
  pick.placeholder = vscode.l10n.t('Search prompts');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  own.add(
    pick.onDidAccept(() => {
      const choice = pick.activeItems[0]?.choice;
      if (choice !== undefined) chosen.resolve(choice);
    }),
  );
  own.add(pick.onDidHide(() => chosen.resolve(undefined)));
  own.add(
    pick.onDidTriggerItemButton(({ button, item: { choice } }) => {
      if (choice?.type === 'builtIn') chosen.resolve({ ...choice, target: 'ask' });
      if (choice?.type !== 'file') return;
      chosen.resolve(button === buttons.edit ? { type: 'edit', file: choice.file } : { ...choice, target: 'ask' });
    }),
  );
  const builtInRows = keysOf(builtIns).map((id): Row => ({
    label: builtIns[id].title,
    description: whereOf(builtIns[id].target),
    buttons: [buttons.elsewhere],
    choice: { type: 'builtIn', id },
  }));
  let rows: readonly Row[] = [separator(vscode.l10n.t('Built in')), ...builtInRows];
  let shown = rows;
  pick.items = rows;
  pick.busy = true;
  // VS Code's own text for an empty list doesn't show what was searched for, and this list is never empty.
  const show = (): void => {
    const before = shown;
    shown = pick.busy ? rows : rowsFor(pick.value, rows);
    if (shown !== before) pick.items = shown;
  };
  own.add(pick.onDidChangeValue(show));
  pick.show();
  try {
    // A failure closes the list too, so it's awaited together with the selection.
    return await Promise.race([chosen.promise, list().then(() => chosen.promise)]);
  } finally {
    own.dispose();
  }

  function fileRows(prompts: readonly FoundPrompt[]): readonly Row[] {
    return prompts.map((prompt): Row => ({
      label: prompt.name,
      description: whereOf(prompt.file.target ?? 'newChat'),
      ...(prompt.file.description !== undefined && { detail: prompt.file.description }),
      buttons: [buttons.elsewhere, buttons.edit],
      choice: { type: 'file', file: prompt.uri },
    }));
  }

  async function list(): Promise<void> {
    const { prompts: found, isWhole } = await findPrompts(userFolder);
    if (own.disposed) return;
    const ofPerson = found.filter(({ folder }) => folder === undefined);
    const ofFolders = Map.groupBy(
      found.filter(({ folder }) => folder !== undefined),
      ({ folder = '' }) => folder,
    );
    rows = [
      ...(ofPerson.length === 0 ? [] : [separator(vscode.l10n.t('Yours')), ...fileRows(ofPerson)]),
      ...[...ofFolders].flatMap(([name, prompts]) => [separator(name), ...fileRows(prompts)]),
      separator(vscode.l10n.t('Built in')),
      ...builtInRows,
      separator(''),
      { icon: 'add', label: vscode.l10n.t('New Prompt…'), alwaysShow: true, choice: { type: 'new' } },
      ...trustRow(),
      ...(isWhole ? [] : [cutRow()]),
    ];
    pick.busy = false;
    const [active] = pick.activeItems;
    show();
    // Enter must run the row that the user went to. VS Code starts at the first row, as after a search.
    if (active !== undefined && active !== builtInRows[0] && shown.includes(active)) pick.activeItems = [active];
  }
}

/** All rows: VS Code shows those that match. If none does, a row that says so is first. */
function rowsFor(typed: string, rows: readonly Row[]): readonly Row[] {
  const wanted = typed.trim().toLowerCase();
  const isFound = rows.some(
    ({ alwaysShow, kind, label, description = '', detail = '' }) =>
      alwaysShow !== true &&
      kind === undefined &&
      [label, description, detail].some((text) => hasInOrder(text.toLowerCase(), wanted)),
  );
  return isFound
    ? rows
    : [{ label: vscode.l10n.t('No prompts match "{0}".', typed.trim()), alwaysShow: true }, ...rows];
}

/** Whether the prompts of the open folders are left out. */
export function isRestricted(): boolean {
  return !vscode.workspace.isTrusted && vscode.workspace.workspaceFolders !== undefined;
}

/** In Restricted Mode a workspace's prompts aren't run, and the user should know why they're missing. */
function trustRow(): readonly Row[] {
  if (!isRestricted()) return [];
  return [
    {
      icon: 'shield',
      label: vscode.l10n.t('Trust This Workspace to See Its Prompts…'),
      alwaysShow: true,
      choice: { type: 'trust' },
    },
  ];
}

/** Explains why a prompt is missing. */
function cutRow(): Row {
  const { files, folders, depth } = promptLimits;
  return {
    icon: 'info',
    label: vscode.l10n.t("Some prompts aren't listed"),
    detail: vscode.l10n.t(
      'Parlance reads up to {0} files, {1} folders, and {2} levels of a prompt folder. Move the prompts you use to its top level.',
      files,
      folders,
      depth,
    ),
    alwaysShow: true,
  };
}

function separator(label: string): Row {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function targetWord(target: PromptTarget): string {
  const label = targetItems().find((item) => item.target === target)?.label ?? '';
  return label.replace(/^\$\([\w-]+\) /, '').toLocaleLowerCase(vscode.env.language);
}
