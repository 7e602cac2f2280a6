import * as vscode from 'vscode';
import { isFiltered, type ModelListView } from '../../core/models/modelGroups.ts';
import { inline } from '../../words/inline.ts';
import { shortened } from '../../words/modelLabel.ts';
import { numberText } from '../../words/numberText.ts';
import { commandIds } from '../settings/contributions.ts';

/** A service as the Models view shows it, if there are several. */
export interface ServiceState {
  /** Its ID. */
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  /** Models of its list that are shown. */
  readonly count: number;
  readonly isAsking: boolean;
  /** Why it couldn't list its models when it was last asked. */
  readonly trouble?: { readonly title: string; readonly detail: string };
  /** `2 hours ago`, if its list is older than the user wants, or couldn't be fetched again. */
  readonly age?: string;
}

/** In characters: leaves room for the number of models in a row of 300 pixels, or for the beginning of an error. */
const longestName = { usual: 24, inTrouble: 14 };

export function serviceItem(state: ServiceState, view: ModelListView): vscode.TreeItem {
  const { id, name, baseUrl, count, isAsking, trouble } = state;
  const longest = trouble === undefined ? longestName.usual : longestName.inTrouble;
  const item = new vscode.TreeItem(shortened(inline(name), longest), vscode.TreeItemCollapsibleState.Expanded);
  // VS Code remembers by the ID what was collapsed: with an ID of its own, a filter's hits are expanded anyway.
  item.id = `service:${id}${isFiltered(view) ? ':hits' : ''}`;
  item.description = stateText(state);
  const icon = isAsking ? 'loading~spin' : trouble === undefined ? 'server' : 'warning';
  item.iconPath = new vscode.ThemeIcon(icon);
  item.contextValue = 'service';
  item.tooltip = [name, baseUrl, ...(trouble === undefined ? [] : [trouble.title, trouble.detail])].join('\n');
  const models =
    count === 1 ? vscode.l10n.t('{0}, 1 model', name) : vscode.l10n.t('{0}, {1} models', name, numberText(count));
  const spoken = [models, ...(isAsking ? [vscode.l10n.t('fetching models')] : troubleWords(state))];
  item.accessibilityInformation = { label: spoken.join(', ') };
  return item;
}

/** The only row until the first list has arrived. */
export function fetchingItem(host: string): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Fetching models from {0}…', host));
  item.id = 'fetching';
  item.iconPath = new vscode.ThemeIcon('loading~spin');
  return item;
}

/** The row below a service without a list. A click asks it again. */
export function troubleItem({ id, trouble }: ServiceState): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Retry'));
  item.id = `service:${id}:retry`;
  item.description = trouble?.title ?? '';
  item.tooltip = [trouble?.title ?? '', trouble?.detail ?? ''].join('\n');
  item.iconPath = new vscode.ThemeIcon('refresh');
  item.contextValue = 'serviceTrouble';
  item.accessibilityInformation = { label: vscode.l10n.t('Retry: {0}', trouble?.title ?? '') };
  item.command = {
    command: commandIds.refreshServiceModels,
    title: vscode.l10n.t('Retry'),
    arguments: [{ service: id }],
  };
  return item;
}

function stateText(state: ServiceState): string {
  const { count, trouble } = state;
  // Without a list, the row below says why.
  if (count === 0 && trouble !== undefined) return '';
  return [String(count), ...troubleWords(state)].join(' · ');
}

function troubleWords({ trouble, age, isAsking }: ServiceState): readonly string[] {
  if (isAsking) return [];
  return [
    ...(trouble === undefined ? [] : [trouble.title]),
    ...(age === undefined ? [] : [vscode.l10n.t('list from {0}', age)]),
  ];
}
