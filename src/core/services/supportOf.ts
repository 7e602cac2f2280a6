import { deriveNativeUrl, parseBaseUrl, parseNativeUrl } from '../../api/service/baseUrl.ts';
import {
  type Capability,
  factsAt,
  isThere,
  nativePlace,
  type PathFact,
  type ServiceFacts,
} from '../../api/service/serviceFacts.ts';
import type { ApiForm } from '../../api/types.ts';
import type { ModelAbility } from '../models/modelAbilities.ts';
import type { ServiceEntry } from './serviceEntry.ts';

/** Whether a service supports something, as far as known. Never derived from the names of hosts or models. */
export interface Support {
  readonly capability: Capability;
  /** The API for such requests; `not` if none of the allowed ones has it; absent if unknown. */
  readonly through?: ApiForm | 'not';
  /** What showed it. */
  readonly fact?: PathFact;
  /** Set if only a setting prevents requests to the API that has it. */
  readonly isOffBySetting?: boolean;
  /** The fields of the service's settings that determine it. */
  readonly fields: readonly (keyof ServiceEntry)[];
}

/** @param nowMs Unix time in milliseconds, because a service can gain what it lacked. */
export function supportOf(facts: ServiceFacts, entry: ServiceEntry, capability: Capability, nowMs: number): Support {
  const { forms, fields } = reach(capability, entry);
  const place = placeOf(entry);
  const known = (place === undefined ? facts : factsAt(facts, place)).paths[capability] ?? {};
  const isPresent = (form: ApiForm) => isThere(known[form], nowMs);
  const through = forms.find((form) => isPresent(form) === true);
  const fact = through && known[through];
  if (through !== undefined && fact !== undefined) return { capability, through, fact, fields };
  if (!forms.every((form) => isPresent(form) === false)) return { capability, fields };
  const [last] = forms.flatMap((form) => known[form] ?? []).slice(-1);
  const isOffBySetting = (['native', 'compatible'] as const).some((form) => isPresent(form) === true);
  return {
    capability,
    through: 'not',
    ...(last !== undefined && { fact: last }),
    ...(isOffBySetting && { isOffBySetting }),
    fields,
  };
}

/** Where its native paths are now; undefined without a valid URL. */
function placeOf({ baseUrl, nativeUrl, nativeSegment }: ServiceEntry): string | undefined {
  const native = parseNativeUrl(nativeUrl);
  if (native.ok) return nativePlace(native.url, nativeSegment);
  const base = parseBaseUrl(baseUrl);
  return base.ok ? nativePlace(deriveNativeUrl(base.url), nativeSegment) : undefined;
}

/** The allowed APIs in order, and the fields that determine them. */
function reach(
  capability: Capability,
  { chatApi, imageApi, mediaApi }: ServiceEntry,
): { readonly forms: readonly ApiForm[]; readonly fields: readonly (keyof ServiceEntry)[] } {
  const both = ['native', 'compatible'] as const;
  switch (capability) {
    case 'chat':
      return { forms: [chatApi], fields: ['baseUrl', 'chatApi'] };
    case 'models':
      return { forms: both, fields: ['baseUrl', 'nativeUrl'] };
    case 'imageInput':
      return { forms: imageApi === 'auto' ? both : [imageApi], fields: ['nativeUrl', 'nativeSegment', 'imageApi'] };
    case 'imageGeneration':
    case 'audio':
      return { forms: mediaApi === 'auto' ? both : [mediaApi], fields: ['nativeUrl', 'nativeSegment', 'mediaApi'] };
    case 'video':
      return { forms: ['compatible'], fields: ['baseUrl'] };
  }
}

/** The ability to look for in a list's models; undefined if models don't have it. */
export function abilityFor(capability: Capability): ModelAbility | undefined {
  switch (capability) {
    case 'chat':
    case 'audio':
    case 'video':
      return capability;
    case 'imageInput':
      return 'multimodal';
    case 'imageGeneration':
      return 'image';
    case 'models':
      return undefined;
  }
}
