import * as l10n from '@vscode/l10n';
import type { ModelAbility, ModelKind } from './modelAbilities.ts';
import type { IndexedModel } from './modelIndex.ts';

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

/**
 * In words, that a model accepts images; empty if the model list doesn't say so.
 *
 * @param blind IDs of the services that are known not to support that
 */
export function imagesText({ abilities, service }: IndexedModel, blind: ReadonlySet<string>): string {
  return abilities.has('multimodal') && !blind.has(service) ? abilityText('multimodal') : '';
}

/** What a user selects a model for. */
export type WantedModel = Exclude<ModelAbility, 'multimodal'>;

/** The title of the list to select it from, and the button that leaves out other models. */
export function selectWords(wanted: WantedModel): { readonly title: string; readonly onlyThese: string } {
  switch (wanted) {
    case 'chat':
      return { title: l10n.t('Select Model'), onlyThese: l10n.t('Show Chat Models Only') };
    case 'video':
      return { title: l10n.t('Select a Video Model'), onlyThese: l10n.t('Show Video Models Only') };
    case 'image':
      return { title: l10n.t('Select an Image Model'), onlyThese: l10n.t('Show Image Models Only') };
    case 'audio':
      return { title: l10n.t('Select a Transcription Model'), onlyThese: l10n.t('Show Audio Models Only') };
  }
}
