import * as l10n from '@vscode/l10n';
import type { Capability } from '../../api/service/serviceFacts.ts';

/** What a service or a model can support, as the heading of a row. */
export function capabilityText(capability: Capability): string {
  switch (capability) {
    case 'chat':
      return l10n.t('Chat');
    case 'models':
      return l10n.t('Model list');
    case 'imageInput':
      return l10n.t('Image input');
    case 'imageGeneration':
      return l10n.t('Image generation');
    case 'audio':
      return l10n.t('Audio transcription');
    case 'video':
      return l10n.t('Video generation');
  }
}

/** `chat, model list, image input` */
export function capabilityList(some: readonly Capability[]): string {
  return some.map(capabilityInSentence).join(', ');
}

function capabilityInSentence(capability: Capability): string {
  switch (capability) {
    case 'chat':
      return l10n.t('chat');
    case 'models':
      return l10n.t('model list');
    case 'imageInput':
      return l10n.t('image input');
    case 'imageGeneration':
      return l10n.t('image generation');
    case 'audio':
      return l10n.t('audio transcription');
    case 'video':
      return l10n.t('video generation');
  }
}
