import * as vscode from 'vscode';
import type { CallOptions, ModelInfo } from '../../api/types.ts';
import { isOfKind, type MediaModelKind } from '../../core/mediaModels.ts';
import type { Problem } from '../../shared/problem.ts';
import { DisposableList } from '../disposables.ts';

export interface PickMediaModelDeps {
  readonly listModels: (options: CallOptions) => Promise<readonly ModelInfo[]>;
  readonly explain: (error: unknown) => Problem;
}

interface Row extends vscode.QuickPickItem {
  readonly model?: string;
}

/**
 * Asks for a model: those of this kind first, then all others, or any that is typed, because a
 * catalogue need not list every model nor say what it is for. Undefined when the person leaves.
 */
export async function pickMediaModel(
  kind: MediaModelKind,
  current: string,
  deps: PickMediaModelDeps,
): Promise<string | undefined> {
  using own = new OwnedPick();
  const { pick } = own;
  const abort = new AbortController();
  const chosen = Promise.withResolvers<string | undefined>();
  let models: readonly ModelInfo[] = [];
  let trouble: Problem | undefined;

  const draw = (): void => {
    const typed = pick.value.trim();
    const fitting = models.filter((model) => isOfKind(model, kind));
    const others = models.filter((model) => !isOfKind(model, kind));
    pick.items = [
      ...(typed === '' || models.some(({ id }) => id === typed)
        ? []
        : [{ label: typed, description: vscode.l10n.t('as typed'), model: typed, alwaysShow: true }]),
      ...(trouble === undefined ? [] : [{ label: trouble.title, detail: trouble.detail, alwaysShow: true }]),
      ...section(vscode.l10n.t('Made for this'), fitting),
      ...section(vscode.l10n.t('Other models'), others),
    ];
    const active = pick.items.find(({ model }) => model === (typed === '' ? current : typed));
    if (active !== undefined) pick.activeItems = [active];
  };

  pick.title = titleOf(kind);
  pick.placeholder = vscode.l10n.t('Search, or type a model as <provider>/<model>');
  pick.busy = true;
  own.list.add(pick.onDidChangeValue(draw));
  own.list.add(
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      if (row?.model !== undefined) chosen.resolve(row.model);
    }),
  );
  own.list.add(pick.onDidHide(() => chosen.resolve(undefined)));
  pick.show();
  const list = async (): Promise<void> => {
    try {
      models = await deps.listModels({ signal: abort.signal });
    } catch (error) {
      if (!abort.signal.aborted) trouble = deps.explain(error);
    }
    if (own.list.disposed) return;
    pick.busy = false;
    draw();
  };
  void list();
  const model = await chosen.promise;
  abort.abort();
  return model;
}

class OwnedPick implements Disposable {
  readonly list = new DisposableList();
  readonly pick = this.list.add(vscode.window.createQuickPick<Row>());

  [Symbol.dispose](): void {
    this.list.dispose();
  }
}

function section(label: string, models: readonly ModelInfo[]): readonly Row[] {
  if (models.length === 0) return [];
  const ids = [...new Set(models.map(({ id }) => id))].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...ids.map((id) => ({ label: id, model: id }))];
}

function titleOf(kind: MediaModelKind): string {
  switch (kind) {
    case 'video':
      return vscode.l10n.t('Select a Video Model');
    case 'image':
      return vscode.l10n.t('Select an Image Model');
    case 'audio':
      return vscode.l10n.t('Select a Transcription Model');
  }
}
