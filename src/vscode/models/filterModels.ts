import * as vscode from 'vscode';
import { type ModelAbility, modelAbilities } from '../../core/models/modelAbilities.ts';
import { type ModelSort, modelSorts } from '../../core/models/modelGroups.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { ModelListState } from './modelListState.ts';
import { abilityText } from '../../core/models/kindText.ts';
import { panelTypes } from '../settings/contributions.ts';
import { plainWindow } from '../platform/plainWindow.ts';

interface AbilityRow extends vscode.QuickPickItem {
  readonly ability: ModelAbility;
}

/** One box for both filters: typed text searches names, and ticks filter by ability. The list updates at once. */
export async function filterModels(list: ModelListState): Promise<void> {
  const before = list.view;
  const own = new DisposableList();
  const pick = own.add(plainWindow.createQuickPick<AbilityRow>());
  const rows = modelAbilities.map((ability) => ({
    ability,
    label: capitalized(abilityText(ability)),
    // These aren't part of the search.
    alwaysShow: true,
  }));
  pick.title = vscode.l10n.t('Filter Models');
  pick.placeholder = vscode.l10n.t('Filter by name or capability');
  pick.canSelectMany = true;
  // A click on a model that the filter has found loses the focus.
  pick.ignoreFocusOut = true;
  pick.items = rows;
  pick.selectedItems = rows.filter(({ ability }) => before.abilities.includes(ability));
  pick.value = before.text;
  try {
    const isKept = await new Promise<boolean>((resolve) => {
      own.add(pick.onDidChangeValue((text) => list.change({ text: text.slice(0, 256) })));
      own.add(
        pick.onDidChangeSelection((selected) => list.change({ abilities: selected.map(({ ability }) => ability) })),
      );
      own.add(pick.onDidAccept(() => resolve(true)));
      own.add(pick.onDidHide(() => resolve(false)));
      own.add(
        vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
          if ([...opened, ...changed].some(isModelInFront)) resolve(true);
        }),
      );
      pick.show();
    });
    if (!isKept) list.change({ text: before.text, abilities: before.abilities });
  } finally {
    own.dispose();
  }
}

/** A page about a model was opened or shown again. A file that is saved changes its tab, too. */
function isModelInFront({ isActive, group, input }: vscode.Tab): boolean {
  // VS Code puts words of its own before the type.
  const isModel = input instanceof vscode.TabInputWebview && input.viewType.endsWith(panelTypes.modelDetails);
  return isModel && isActive && group.isActive;
}

/** Asks how to sort the models. */
export async function sortModels(list: ModelListState): Promise<void> {
  const rows = modelSorts.map((sort) => ({
    sort,
    label: sortLabel(sort),
    description: [sortDetail(sort), ...(sort === list.view.sort ? [vscode.l10n.t('current')] : [])]
      .filter((text) => text !== '')
      .join(' · '),
  }));
  const chosen = await plainWindow.showQuickPick(rows, {
    title: vscode.l10n.t('Sort Models'),
    placeHolder: vscode.l10n.t('Models without this value are listed last'),
    matchOnDescription: true,
  });
  if (chosen !== undefined) list.change({ sort: chosen.sort });
}

function sortLabel(sort: ModelSort): string {
  switch (sort) {
    case 'name':
      return vscode.l10n.t('Name');
    case 'context':
      return vscode.l10n.t('Context Window');
    case 'price':
      return vscode.l10n.t('Price');
    case 'firstToken':
      return vscode.l10n.t('Time to First Token');
    case 'speed':
      return vscode.l10n.t('Speed (Tokens per Second)');
  }
}

function sortDetail(sort: ModelSort): string {
  switch (sort) {
    case 'name':
      return '';
    case 'context':
      return vscode.l10n.t('largest first');
    case 'price':
      return vscode.l10n.t('cheapest first (3:1 input to output)');
    case 'firstToken':
      return vscode.l10n.t('quickest first, as measured here');
    case 'speed':
      return vscode.l10n.t('fastest first, as measured here');
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
