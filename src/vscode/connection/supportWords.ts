import * as vscode from 'vscode';
import { capabilities, type Capability, type ServiceFacts, supportOf } from '../../api/service/serviceFacts.ts';
import { settings } from '../settings/settingList.ts';

/** What a service supports, a line for each capability, with the setting that matters where it doesn't. */
export function supportLines(facts: ServiceFacts): readonly string[] {
  return capabilities.map((capability) => `${nameOf(capability)}: ${wordsFor(facts, capability)}`);
}

/** `Chat, models, image input`: what works, for a line; empty where nothing is known to. */
export function supportedList(facts: ServiceFacts): string {
  const works = capabilities.filter((capability) => {
    const through = supportOf(facts, capability)?.through;
    return through === 'native' || through === 'compatible';
  });
  return works.map(nameOf).join(', ');
}

function wordsFor(facts: ServiceFacts, capability: Capability): string {
  const support = supportOf(facts, capability);
  switch (support?.through) {
    case 'native':
      return vscode.l10n.t('through the native API');
    case 'compatible':
      return capability === 'imageInput'
        ? vscode.l10n.t('through the OpenAI-compatible API, if the model supports it')
        : vscode.l10n.t('through the OpenAI-compatible API');
    case 'not':
      return vscode.l10n.t('path not found (settings: {0})', settingsFor(capability).join(', '));
    case undefined:
      return vscode.l10n.t('unknown (settings: {0})', settingsFor(capability).join(', '));
  }
}

function settingsFor(capability: Capability): readonly string[] {
  const native = [settings.nativeUrl.id, settings.nativeSegment.id];
  switch (capability) {
    case 'chat':
      return [settings.baseUrl.id, settings.chatApi.id];
    case 'models':
      return [settings.baseUrl.id, settings.nativeUrl.id];
    case 'imageInput':
      return [...native, settings.imageApi.id];
    case 'imageGeneration':
    case 'audio':
      return [...native, settings.mediaApi.id];
    case 'video':
      return [settings.baseUrl.id];
  }
}

function nameOf(capability: Capability): string {
  switch (capability) {
    case 'chat':
      return vscode.l10n.t('Chat');
    case 'models':
      return vscode.l10n.t('Model list');
    case 'imageInput':
      return vscode.l10n.t('Image input');
    case 'imageGeneration':
      return vscode.l10n.t('Image generation');
    case 'audio':
      return vscode.l10n.t('Audio transcription');
    case 'video':
      return vscode.l10n.t('Video generation');
  }
}
