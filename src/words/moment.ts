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
  return new Date(at).toDateString() === new Date(now).toDateString() ? time : `${dayText(at)} ${time}`;
}
