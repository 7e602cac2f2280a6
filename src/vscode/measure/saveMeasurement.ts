import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { measurementCsv, measurementJson, measurementMarkdown } from '../../core/measuring/measurementExport.ts';
import type { MeasuredRun } from '../../core/measuring/measuredComparison.ts';
import type { MeasureFormat, ToMeasureHost } from '../../shared/protocol/measureProtocol.ts';
import { saveTo } from '../disk/uriFile.ts';
import { localDay } from '../platform/localDay.ts';
import { plainWindow } from '../platform/plainWindow.ts';

const endings = { csv: 'csv', json: 'json', markdown: 'md' } as const satisfies Readonly<Record<MeasureFormat, string>>;

/** Writes the figures of a run to a file that the user selects. */
export async function saveRun(run: MeasuredRun, format: MeasureFormat): Promise<void> {
  const write = { csv: measurementCsv, json: measurementJson, markdown: measurementMarkdown }[format];
  const name = `parlance-measurement-${localDay(run.result.at)}.${endings[format]}`;
  await save(name, endings[format], write(run));
}

/** Writes a chart as the page drew it. */
export async function saveChart(message: Extract<ToMeasureHost, { type: 'saveSvg' | 'savePng' }>): Promise<void> {
  const [ending, content] =
    message.type === 'saveSvg' ? (['svg', message.text] as const) : (['png', message.bytes] as const);
  await save(`parlance-${message.name}.${ending}`, ending, content);
}

async function save(name: string, ending: string, content: string | Uint8Array): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: { [ending.toUpperCase()]: [ending] },
  });
  if (target === undefined) return;
  await saveTo(target, content);
  plainWindow.setStatusBarMessage(vscode.l10n.t('Saved {0}.', vscode.workspace.asRelativePath(target)), 6000);
}
