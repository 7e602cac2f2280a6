import * as l10n from '@vscode/l10n';
import { writtenLanguage } from './numberText.ts';

/** Date and time, for a tooltip. @param at Unix time in milliseconds */
export function momentText(at: number): string {
  return new Date(at).toLocaleString(writtenLanguage());
}

/** `14:05`. @param at Unix time in milliseconds */
export function timeOfDayText(at: number): string {
  return new Date(at).toLocaleTimeString(writtenLanguage(), { hour: '2-digit', minute: '2-digit' });
}

/** `Nov 21`. @param at Unix time in milliseconds */
export function dayText(at: number): string {
  return new Date(at).toLocaleDateString(writtenLanguage(), { month: 'short', day: 'numeric' });
}

/** When it was, as short as possible: the time, and the day unless it's today. */
export function recentText(at: number, now: number): string {
  const time = timeOfDayText(at);
  return isSameDay(at, now) ? time : `${dayText(at)} ${time}`;
}

/** The time if it's today, otherwise the date: `Nov 21, 2026`. */
export function timeOrDateText(at: number, now: number): string {
  return isSameDay(at, now)
    ? timeOfDayText(at)
    : new Date(at).toLocaleDateString(writtenLanguage(), { dateStyle: 'medium' });
}

/** `Today`, `Yesterday`, `Saturday, November 21, 2026`. */
export function dayName(at: number, now: number): string {
  if (isSameDay(at, now)) return l10n.t('Today');
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (isSameDay(at, yesterday.getTime())) return l10n.t('Yesterday');
  return new Date(at).toLocaleDateString(writtenLanguage(), { dateStyle: 'full' });
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `just now`, `2 hours ago`. */
export function agoText(at: number, now: number): string {
  const age = Math.max(0, now - at);
  const [unit, length] = units.find(([, unitMs]) => age >= unitMs) ?? ['second', 1000];
  if (unit === 'second') return l10n.t('just now');
  return new Intl.RelativeTimeFormat(writtenLanguage(), { numeric: 'auto' }).format(-Math.floor(age / length), unit);
}

function isSameDay(at: number, other: number): boolean {
  return new Date(at).toDateString() === new Date(other).toDateString();
}
