import type { ModelRef } from '../../shared/modelRef.ts';
import { isClearlyLess, isPartlyRead, leastTokens } from '../requests/leastTokens.ts';
import type { Message, ReplyEnd } from './conversation.ts';

/** What was sent for a reply. */
export interface SentForReply {
  readonly model: ModelRef;
  readonly systemPrompt?: string | undefined;
  readonly sent: readonly Message[];
  /** By the attachment's ID, as for a request. */
  readonly contents: ReadonlyMap<string, string>;
}

/** What the service returned about it. */
interface CountedPrompt {
  readonly answeredBy?: string | undefined;
  /** Tokens of the prompt, including those from the service's cache. */
  readonly counted?: number | undefined;
}

/**
 * How much was sent for a reply, to see whether the service dropped some of it. The text alone says little about the
 * number of tokens. A count of the service for an earlier reply says more: all of that is sent again, and more.
 */
export function sentAmount(
  { model, systemPrompt = '', sent, contents }: SentForReply,
  { answeredBy, counted }: CountedPrompt,
): Pick<ReplyEnd, 'leastTokens' | 'sentAtLeast'> {
  if (counted === undefined) return {};
  const counts = new Counts();
  let least = leastTokens(systemPrompt);
  let atLeast = 0;
  for (const message of sent) {
    const before = countOf(message, model, answeredBy);
    if (before !== undefined && before.least <= least + 1) {
      atLeast = Math.max(atLeast, before.counted);
      // Of exactly what is sent now, and not of less, because of a line that was moved since.
      if (before.least >= least - 1) counts.add(before.counted);
    }
    for (const text of textsOf(message, contents)) {
      const tokens = leastTokens(text);
      least += tokens;
      if (atLeast > 0) atLeast += tokens;
      counts.grew(text.length, tokens);
    }
  }
  counts.add(counted);
  const sentAtLeast = Math.floor(Math.max(least, atLeast));
  const isCut = isPartlyRead(counted, sentAtLeast) && !counts.areOfNewOnly;
  return { leastTokens: Math.floor(least), ...(isCut && { sentAtLeast }) };
}

/**
 * Successive counts of a growing prompt. Some services, or versions of them, only count what isn't in their cache. A
 * service that drops what doesn't fit keeps as much as it ever counted, so that its counts grow as long as they're lower.
 */
class Counts {
  areOfNewOnly = false;
  #most = 0;
  #last = 0;
  #added = { most: 0, least: 0 };

  add(counted: number): void {
    const hadRoom = this.#last > 0 && this.#last + this.#added.most <= this.#most;
    if (hadRoom && isClearlyLess(counted, this.#last + this.#added.least)) this.areOfNewOnly = true;
    this.#last = counted;
    this.#most = Math.max(this.#most, counted);
    this.#added = { most: 0, least: 0 };
  }

  /** No token has less than one character, apart from those of rare signs. */
  grew(characters: number, tokens: number): void {
    this.#added = { most: this.#added.most + characters, least: this.#added.least + tokens };
  }
}

/** What was counted for an earlier reply by the same model, with the least that its request had. */
function countOf(
  message: Message,
  model: ModelRef,
  answeredBy: string | undefined,
): { readonly counted: number; readonly least: number } | undefined {
  if (message.role !== 'assistant' || message.model !== model || message.end?.answeredBy !== answeredBy)
    return undefined;
  const { metrics, leastTokens: least } = message.end ?? {};
  const counted = metrics?.promptTokens;
  if (counted?.from !== 'service' || least === undefined) return undefined;
  return { counted: counted.value, least };
}

function textsOf(message: Message, contents: ReadonlyMap<string, string>): readonly string[] {
  const attached = message.role === 'user' ? (message.attachments ?? []) : [];
  const blocks = attached.filter(({ kind }) => kind !== 'picture').map(({ id }) => contents.get(id) ?? '');
  return [...blocks, message.text];
}
