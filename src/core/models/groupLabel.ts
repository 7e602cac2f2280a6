import * as l10n from '@vscode/l10n';
import { mainServiceId } from '../../shared/modelRef.ts';
import { inline } from '../../words/inline.ts';
import { hasSeveralServices, serviceName } from '../../words/modelLabel.ts';
import type { ModelGroup } from './modelGroups.ts';

/** The heading of a group of models in a list that has no rows for services. */
export function groupLabel(group: ModelGroup): string {
  const { kind, service = mainServiceId, isOfService = false } = group;
  const label = providerLabel(group);
  return kind === 'provider' || isOfService ? inService(label, service) : label;
}

/** The same below the row of its service. */
export function providerLabel({ kind, provider }: ModelGroup): string {
  switch (kind) {
    case 'favorites':
      return l10n.t('Favorites');
    case 'recent':
      return l10n.t('Recently Used');
    case 'all':
      return l10n.t('All Models');
    case 'provider':
      return provider === '' ? l10n.t('Other') : inline(provider, 256);
  }
}

function inService(provider: string, service: string): string {
  return hasSeveralServices() ? `${provider} (${inline(serviceName(service), 60)})` : provider;
}
