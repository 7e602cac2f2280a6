import { maxLinkLength } from '../../shared/messageLimits.ts';

/** A link that can be offered to open. */
export interface SafeLink {
  /** Absolute and normalized. */
  readonly href: string;
  /** Its real target, to show next to what the text claims: a host, or an email address. */
  readonly target: string;
}

const ALLOWED = /^(?:https?:\/\/|mailto:)/i;
const CONTROL_CHARACTER = /\p{Cc}/u;
/** In any script, with any of the dots that browsers accept, because a host can be written to look like another. */
const NAMED_HOST =
  /^\s*(?:https?:\/\/)?(?:[^\s/@]*@)?((?:[\p{L}\p{M}\p{N}-]+[.\u3002\uff0e\uff61])+[\p{L}\p{M}\p{N}-]{2,})(?![\p{L}\p{M}\p{N}_.-])/iu;

/** Only http, https, and mailto; undefined for everything else, including relative and overlong URLs. */
export function safeLink(href: string): SafeLink | undefined {
  if (href.length > maxLinkLength || !ALLOWED.test(href) || CONTROL_CHARACTER.test(href) || !URL.canParse(href))
    return undefined;
  const url = new URL(href);
  // Percent-encoding might have made it longer.
  if (url.href.length > maxLinkLength) return undefined;
  if (url.protocol === 'mailto:') return url.pathname === '' ? undefined : { href: url.href, target: url.pathname };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return url.host === '' ? undefined : { href: url.href, target: url.host };
}

/** True if `text` names a host and the link leads to another one. */
export function claimsOtherTarget(text: string, target: string): boolean {
  const named = NAMED_HOST.exec(text)?.[1];
  if (named === undefined || target.includes('@')) return false;
  return withoutWww(named) !== withoutWww(target);
}

function withoutWww(host: string): string {
  return host.toLowerCase().replace(/^www\./, '');
}
