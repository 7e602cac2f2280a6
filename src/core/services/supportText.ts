import * as l10n from '@vscode/l10n';
import { capabilities, type ServiceFacts } from '../../api/service/serviceFacts.ts';
import { momentText } from '../../words/moment.ts';
import { capabilityList } from './capabilityText.ts';
import type { ServiceEntry } from './serviceEntry.ts';
import { type Support, supportOf } from './supportOf.ts';

/** `chat, model list, image input`: what works, for a sentence; empty if nothing is known to work. */
export function supportedList(facts: ServiceFacts, entry: ServiceEntry, nowMs: number): string {
  return capabilityList(capabilities.filter((capability) => works(supportOf(facts, entry, capability, nowMs))));
}

export function works({ through }: Support): boolean {
  return through === 'native' || through === 'compatible';
}

/** The result in one to three words. */
export function supportText({ through }: Support): string {
  switch (through) {
    case 'native':
      return l10n.t('Native API');
    case 'compatible':
      return l10n.t('OpenAI-compatible API');
    case 'not':
      return l10n.t('Not supported');
    default:
      return l10n.t('Not tested yet');
  }
}

/** Why it doesn't work, and what to check; empty if it works. */
export function reasonText(support: Support): string {
  const fields = support.fields.join(', ');
  if (support.through !== 'not') return '';
  if (support.isOffBySetting === true) {
    return l10n.t('The API that supports it is off. Check in parlance.services: {0}', fields);
  }
  return l10n.t("The service doesn't have this path. Check in parlance.services: {0}", fields);
}

/** How and when it was found out; empty if it wasn't. */
export function sourceText({ capability, fact }: Support): string {
  if (fact === undefined) return '';
  return l10n.t('{0}, {1}', howText(), momentText(fact.at));

  function howText(): string {
    if (capability === 'models') return l10n.t('Model list requested');
    if (fact?.why === 'answered') return l10n.t('Reply received');
    return fact?.by === 'probe' ? l10n.t('Test Connection') : l10n.t('Request rejected');
  }
}
