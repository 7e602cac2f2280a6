import * as l10n from '@vscode/l10n';
import { numberText } from '../../words/numberText.ts';

/** `120 KB`, `4.2 MB`: as file managers count. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return l10n.t('{0} bytes', bytes);
  const kilobytes = bytes / 1000;
  if (kilobytes < 999.5) return l10n.t('{0} KB', rounded(kilobytes));
  const megabytes = kilobytes / 1000;
  return megabytes < 999.5 ? l10n.t('{0} MB', rounded(megabytes)) : l10n.t('{0} GB', rounded(megabytes / 1000));
}

/** `8 s`, `2:05`. */
export function durationWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 90) return l10n.t('{0} s', seconds);
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

/** When it was, as short as it can be said. */
export function timeWords(at: number, now: number, language: string | undefined): string {
  const then = new Date(at);
  const time = then.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });
  if (then.toDateString() === new Date(now).toDateString()) return time;
  return `${then.toLocaleDateString(language, { day: 'numeric', month: 'short' })} ${time}`;
}

function rounded(value: number): string {
  return numberText(value, 0, value < 10 ? 1 : 0);
}
