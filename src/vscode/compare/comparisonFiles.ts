import * as vscode from 'vscode';
import type { Comparison } from '../../core/compare/comparison.ts';
import { comparisonJson, comparisonMarkdown } from '../../core/compare/comparisonExport.ts';
import { fileNameFromTitle } from '../../core/chat/fileNameFromTitle.ts';
import { isComparisonFound } from '../../core/compare/isComparisonFound.ts';
import { inline } from '../../words/inline.ts';
import { momentText } from '../../words/moment.ts';
import { saveTo } from '../disk/uriFile.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import { showModelFile } from '../platform/documents/openModelText.ts';
import type { ShownItem } from '../platform/plainItems.ts';
import { plainWindow } from '../platform/plainWindow.ts';

type Store = Pick<Experiments['store'], 'list'>;

interface Row extends ShownItem {
  readonly id: string;
  readonly questions: readonly string[];
}

/** Lets the user select a stored one, searching its questions and models. */
export async function pickComparison(
  store: Store,
): Promise<{ readonly act: 'open' | 'delete'; readonly id: string } | undefined> {
  const rows = await keptComparisons(store);
  if (rows.length === 0) {
    void plainWindow.showInformationMessage(vscode.l10n.t('There are no comparisons yet.'));
    return undefined;
  }
  const pick = plainWindow.createQuickPick<Row>();
  try {
    pick.title = vscode.l10n.t('Open Comparison');
    pick.placeholder = vscode.l10n.t('Search questions and models');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    const buttons = [{ iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete') }];
    const shown = rows.map((row) => ({ ...row, buttons }));
    pick.items = shown;
    // VS Code searches only what a row shows, and its own text for an empty list doesn't show what was searched for.
    pick.onDidChangeValue((typed) => {
      const found = shown.flatMap((row) => {
        const { label, description = '', detail = '', questions } = row;
        const isFound = isComparisonFound({ shown: [label, description, detail], questions }, typed);
        return isFound ? [{ ...row, alwaysShow: true }] : [];
      });
      pick.items = typed.trim() === '' ? shown : found.length > 0 ? found : [noneFound(typed)];
    });
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof pickComparison>>>();
    pick.onDidHide(() => resolve(undefined));
    pick.onDidAccept(() => {
      const id = pick.selectedItems[0]?.id;
      if (id !== undefined && id !== '') resolve({ act: 'open', id });
    });
    pick.onDidTriggerItemButton(({ item: { id } }) => resolve({ act: 'delete', id }));
    pick.show();
    return await promise;
  } finally {
    pick.dispose();
  }
}

function noneFound(typed: string): Row {
  return {
    id: '',
    questions: [],
    label: vscode.l10n.t('No comparison contains "{0}"', typed.trim()),
    alwaysShow: true,
  };
}

async function keptComparisons(store: Store): Promise<readonly Row[]> {
  const all = (await store.list('comparison')).toReversed();
  const ids = [...new Set(all.flatMap(({ experiment }) => experiment.of?.comparison ?? []))].toReversed();
  return ids.map((id): Row => {
    const own = all.filter(({ experiment }) => experiment.of?.comparison === id);
    const questions = [...new Set(own.map(({ experiment }) => experiment.of?.text ?? ''))];
    const models = [...new Set(own.flatMap(({ experiment }) => experiment.models.map((model) => model.id)))];
    return {
      id,
      icon: 'git-compare',
      label: inline(questions[0] ?? '', 100),
      description: momentText(own[0]?.createdAt ?? 0),
      questions,
      detail: [models.join(', '), ...questions.slice(1).map((text) => inline(text, 60))].join(' · '),
    };
  });
}

/** As Markdown or JSON, depending on the extension of the selected file. */
export async function exportComparison(comparison: Comparison): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${fileNameFromTitle(comparison.title, 'comparison')}.md`;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Comparison'),
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { Markdown: ['md'], JSON: ['json'] },
  });
  if (target === undefined) return;
  const text = target.path.endsWith('.json') ? comparisonJson(comparison) : comparisonMarkdown(comparison);
  await saveTo(target, text);
  await showModelFile(target);
}
