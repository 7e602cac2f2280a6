import * as vscode from 'vscode';
import { Comparison } from '../../core/compare/comparison.ts';
import { comparisonJson, comparisonMarkdown } from '../../core/compare/comparisonExport.ts';
import { fileNameFromTitle } from '../../core/chat/fileNameFromTitle.ts';
import { inline } from '../../words/inline.ts';
import { momentText } from '../../words/moment.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import type { ShownItem } from '../platform/plainItems.ts';
import { plainWindow } from '../platform/plainWindow.ts';

type Store = Pick<Experiments['store'], 'list' | 'open'>;

interface Row extends ShownItem {
  readonly id: string;
}

/** Undefined where there's none with this ID. */
export async function readComparison(id: string, store: Store): Promise<Comparison | undefined> {
  const all = (await store.list('comparison')).filter(({ experiment }) => experiment.of?.comparison === id);
  if (all.length === 0) return undefined;
  const stored = all.map(async ({ experiment, createdAt }) => {
    const { log } = await store.open(experiment.id);
    return { experiment, createdAt, log };
  });
  return Comparison.of(id, await Promise.all(stored));
}

/** Lets the person choose one that was kept, searching its questions and models. @returns its ID */
export async function pickComparison(store: Store): Promise<string | undefined> {
  const all = (await store.list('comparison')).toReversed();
  const ids = [...new Set(all.flatMap(({ experiment }) => experiment.of?.comparison ?? []))].toReversed();
  const rows = ids.map((id): Row => {
    const own = all.filter(({ experiment }) => experiment.of?.comparison === id);
    const questions = [...new Set(own.map(({ experiment }) => experiment.of?.text ?? ''))];
    const models = [...new Set(own.flatMap(({ experiment }) => experiment.models.map((model) => model.id)))];
    return {
      id,
      icon: 'git-compare',
      label: inline(questions[0] ?? '', 100),
      description: momentText(own[0]?.createdAt ?? 0),
      detail: [models.join(', '), ...questions.slice(1).map((text) => inline(text, 60))].join(' · '),
    };
  });
  if (rows.length === 0) {
    void plainWindow.showInformationMessage(vscode.l10n.t('There are no comparisons yet.'));
    return undefined;
  }
  const row = await plainWindow.showQuickPick(rows, {
    title: vscode.l10n.t('Open Comparison'),
    placeHolder: vscode.l10n.t('Search questions and models'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return row?.id;
}

/** As Markdown or JSON, by the name that the person gives the file. */
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
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(target);
}
