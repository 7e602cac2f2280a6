import * as vscode from 'vscode';
import { abilityText } from '../../core/models/kindText.ts';
import type { ModelGroup, ModelListView, ModelSort } from '../../core/models/modelGroups.ts';
import { inline } from '../../words/inline.ts';
import { mainServiceId } from '../../shared/modelRef.ts';
import { hasSeveralServices, serviceName } from '../../words/modelLabel.ts';

/** What differs from the full list, so that a forgotten filter doesn't hide a model. */
export function viewWords({ text, abilities, sort, showsHidden }: ModelListView): readonly string[] {
  const wanted = [
    ...(text.trim() === '' ? [] : [vscode.l10n.t('"{0}"', text.trim())]),
    ...(abilities.length === 0 ? [] : [abilities.map(abilityText).join(', ')]),
  ];
  return [
    ...(wanted.length === 0 ? [] : [vscode.l10n.t('Filter: {0}.', wanted.join(' · '))]),
    ...(sort === 'name' ? [] : [vscode.l10n.t('Sorted by {0}.', sortText(sort))]),
    ...(showsHidden ? [vscode.l10n.t('Hidden models are shown.')] : []),
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

export function groupLabel({ kind, provider, service = mainServiceId }: ModelGroup): string {
  switch (kind) {
    case 'favorites':
      return vscode.l10n.t('Favorites');
    case 'recent':
      return vscode.l10n.t('Recently Used');
    case 'all':
      return vscode.l10n.t('All Models');
    case 'provider':
      return inService(provider === '' ? vscode.l10n.t('Other') : inline(provider, 256), service);
  }
}

function inService(provider: string, service: string): string {
  return hasSeveralServices() ? `${provider} (${inline(serviceName(service), 60)})` : provider;
}
