import * as vscode from 'vscode';
import { mayChat } from '../../core/models/modelAbilities.ts';
import type { ModelCatalogs } from '../../core/models/modelCatalogs.ts';
import type { AllMarks } from '../../core/models/allMarks.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import type { CheckModel } from '../../core/checks/wantedModels.ts';
import { plainWindow } from '../platform/plainWindow.ts';

/**
 * Asks for models in the list, favorites first. Undefined if the user cancels.
 * @param chosen those selected last time, which are selected again
 */
export async function chooseModels(
  { catalog, marks }: { readonly catalog: ModelCatalogs; readonly marks: AllMarks },
  current: ModelRef | undefined,
  chosen: readonly CheckModel[],
): Promise<readonly CheckModel[] | undefined> {
  await Promise.all([catalog.load(), marks.load()]);
  const { favorites } = marks.view;
  const listed = catalog.index.models.filter(({ model }) => mayChat(model)).map(({ model }) => model.id);
  const first = [...favorites, ...(current === undefined ? [] : [current])];
  const again = chosen.map(({ id }) => id);
  const selected = again.length > 0 ? again : first;
  const ids = [...new Set([...first, ...again, ...listed])];
  const pick = plainWindow.createQuickPick<vscode.QuickPickItem & { readonly id: ModelRef }>();
  try {
    pick.canSelectMany = true;
    const title = vscode.l10n.t('Run with Selected Models');
    pick.title = title;
    pick.placeholder = vscode.l10n.t('Select the models to check');
    pick.items = ids.map((id) => ({
      id,
      label: modelLabel(id),
      ...(favorites.includes(id) && { description: vscode.l10n.t('Favorite') }),
    }));
    pick.selectedItems = pick.items.filter(({ id }) => selected.includes(id));
    const { promise, resolve } = Promise.withResolvers<readonly CheckModel[] | undefined>();
    pick.onDidAccept(() => {
      if (pick.selectedItems.length > 0) resolve(pick.selectedItems.map(({ id }) => ({ id })));
      // There's nothing to run: the list stays open. Its placeholder isn't visible if something was typed.
      else pick.title = vscode.l10n.t('Add at least one model.');
    });
    pick.onDidChangeSelection(() => (pick.title = title));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
    return await promise;
  } finally {
    pick.dispose();
  }
}
