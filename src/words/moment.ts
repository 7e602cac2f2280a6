import * as l10n from '@vscode/l10n';
import { writtenLanguage } from './numberText.ts';

const styles = {
  moment: {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  },
  time: { timeStyle: 'short' },
  day: { month: 'short', day: 'numeric' },
  date: { dateStyle: 'medium' },
  fullDate: { dateStyle: 'full' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * A format takes far longer to make than to use, and a conversation writes the time of each message. It keeps the time
 * zone in which it was made, so a computer that travels gets another.
 */
function written(at: number, style: keyof typeof styles): string {
  const date = new Date(at);
  const offset = date.getTimezoneOffset();
  // A format would throw: a damaged file can contain any number.
  if (Number.isNaN(offset)) return String(date);
  const language = writtenLanguage();
  const key = `${language} ${style} ${offset}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(language, styles[style]);
    formats.set(key, format);
  }
  return format.format(date);
}

/** Date and time, for a tooltip. @param at Unix time in milliseconds */
export function momentText(at: number): string {
  return written(at, 'moment');
}

/** `14:05`, `2:05 PM`. @param at Unix time in milliseconds */
export function timeOfDayText(at: number): string {
  return written(at, 'time');
}

/** Why nothing is sent for now. @param at when it's tried again, as Unix time in milliseconds */
export function busyText(at: number): string {
  return l10n.t('Waiting until {0}: the service is busy', timeOfDayText(at));
}

/** `Nov 21`. @param at Unix time in milliseconds */
export function dayText(at: number): string {
  return written(at, 'day');
}

/** When it was, as short as possible: the time, and the day unless it's today. */
export function recentText(at: number, now: number): string {
  const time = timeOfDayText(at);
  return isSameDay(at, now) ? time : `${dayText(at)} ${time}`;
}

/** The time if it's today, otherwise the date: `Nov 21, 2026`. */
export function timeOrDateText(at: number, now: number): string {
  return isSameDay(at, now) ? timeOfDayText(at) : written(at, 'date');
}

/** `Today`, `Yesterday`, `Saturday, November 21, 2026`. */
export function dayName(at: number, now: number): string {
  if (isSameDay(at, now)) return l10n.t('Today');
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (isSameDay(at, yesterday.getTime())) return l10n.t('Yesterday');
  return written(at, 'fullDate');
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
