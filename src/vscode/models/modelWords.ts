import * as vscode from 'vscode';
import { abilityText } from '../../core/models/kindText.ts';
import type { ModelListView, ModelSort } from '../../core/models/modelGroups.ts';

/** What differs from the full list, so that a forgotten filter doesn't hide a model. */
export function viewWords(view: ModelListView): readonly string[] {
  const { sort, showsHidden } = view;
  const wanted = filterWords(view);
  return [
    ...(wanted.length === 0 ? [] : [vscode.l10n.t('Filter: {0}.', wanted.join(' · '))]),
    ...(sort === 'name' ? [] : [vscode.l10n.t('Sorted by {0}.', sortText(sort))]),
    ...(showsHidden ? [vscode.l10n.t('Hidden models are shown.')] : []),
  ];
}

/** What the filter requires: the text, then the abilities. */
export function filterWords({ text, abilities }: ModelListView): readonly string[] {
  return [
    ...(text.trim() === '' ? [] : [vscode.l10n.t('"{0}"', text.trim())]),
    ...(abilities.length === 0 ? [] : [abilities.map(abilityText).join(', ')]),
  ];
}

export function sortText(sort: ModelSort): string {
  switch (sort) {
    case 'name':
      return vscode.l10n.t('name');
    case 'context':
      return vscode.l10n.t('context window');
    case 'price':
      return vscode.l10n.t('price');
    case 'firstToken':
      return vscode.l10n.t('time to first token');
    case 'speed':
      return vscode.l10n.t('tokens per second');
  }
}
