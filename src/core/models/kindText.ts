import * as l10n from '@vscode/l10n';
import type { ModelAbility, ModelKind } from './modelAbilities.ts';

/** A model's kind, in a word or two. For a kind that Parlance doesn't know, the service's own word. */
export function kindText(kind: ModelKind, asTheServiceSays?: string): string | undefined {
  return kind === 'unknown' ? asTheServiceSays : abilityText(kind);
}

export function abilityText(ability: ModelAbility): string {
  switch (ability) {
    case 'chat':
      return l10n.t('chat');
    case 'multimodal':
      return l10n.t('chat with images');
    case 'image':
      return l10n.t('images');
    case 'video':
      return l10n.t('videos');
    case 'audio':
      return l10n.t('audio');
  }
}
