import * as vscode from 'vscode';
import { capabilities, type Capability, type ServiceFacts, supportOf } from '../../api/service/serviceFacts.ts';
import type { ServiceEntry } from '../../core/services/serviceEntry.ts';

/** What a service supports, one line per capability, with the relevant setting if it doesn't. */
export function supportLines(facts: ServiceFacts): readonly string[] {
  return capabilities.map((capability) => `${nameOf(capability)}: ${wordsFor(facts, capability)}`);
}

/** `Chat, models, image input`: what works, on one line; empty if nothing is known to work. */
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
      return vscode.l10n.t('path not found (settings: {0})', fieldsFor(capability).join(', '));
    case undefined:
      return vscode.l10n.t('unknown (settings: {0})', fieldsFor(capability).join(', '));
  }
}

/** The fields of the service's settings that decide about it. */
function fieldsFor(capability: Capability): readonly (keyof ServiceEntry)[] {
  switch (capability) {
    case 'chat':
      return ['baseUrl', 'chatApi'];
    case 'models':
      return ['baseUrl', 'nativeUrl'];
    case 'imageInput':
      return ['nativeUrl', 'nativeSegment', 'imageApi'];
    case 'imageGeneration':
    case 'audio':
      return ['nativeUrl', 'nativeSegment', 'mediaApi'];
    case 'video':
      return ['baseUrl'];
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
