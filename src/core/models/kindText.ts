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

/** What a chat model is for if its messages can contain images, and the model list says so; otherwise empty. */
export function imagesText({ abilities }: { readonly abilities: ReadonlySet<ModelAbility> }): string {
  return abilities.has('multimodal') ? abilityText('multimodal') : '';
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
