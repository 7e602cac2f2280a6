import * as l10n from '@vscode/l10n';
import { numberText, preciseNumberText, steadyNumberText } from './numberText.ts';

/** How long something took: `<10 ms`, `0.31 s`, `3.4 s`, `42 s`, `2 min 5 s`, `1 h 10 min`. */
export function durationText(seconds: number): string {
  if (seconds < 0.01) return l10n.t('<10 ms');
  if (seconds < 9.95) return l10n.t('{0} s', preciseNumberText(seconds));
  return wholeDurationText(seconds);
}

/** The same in whole seconds, without a part that is zero: `42 s`, `1 min`, `2 min 5 s`, `1 h`, `1 h 10 min`. */
export function wholeDurationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole >= 3600 && Math.floor(whole / 60) % 60 === 0) return hoursText(whole / 3600);
  if (whole >= 60 && whole < 3600 && whole % 60 === 0) return minutesText(whole / 60);
  return elapsedText(whole);
}

/** For durations well below a second: `8.4 ms`, `112 ms`. */
export function millisecondsText(milliseconds: number): string {
  return l10n.t('{0} ms', steadyNumberText(milliseconds));
}

/** For a running clock, with all parts, so that it doesn't jump: `0 s`, `8 s`, `1 min 0 s`, `2 min 5 s`, `1 h 10 min`. */
export function elapsedText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return secondsText(whole);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return l10n.t('{0} min {1} s', minutes, whole % 60);
  return l10n.t('{0} h {1} min', numberText(Math.floor(minutes / 60)), minutes % 60);
}

/** How long to wait: `12 s`, `3 min`, `2 h`. Rounded up, so that nobody is told to try too early. */
export function waitText(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  if (seconds < 120) return secondsText(seconds);
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? minutesText(minutes) : hoursText(Math.ceil(minutes / 60));
}

/** The length of a clip, as requested: `5 s`, `2.5 s`. */
export function clipLengthText(seconds: number): string {
  return secondsText(seconds, 0, 2);
}

function hoursText(hours: number): string {
  return l10n.t('{0} h', numberText(Math.floor(hours)));
}

function minutesText(minutes: number): string {
  return l10n.t('{0} min', minutes);
}

function secondsText(seconds: number, least = 0, most = least): string {
  return l10n.t('{0} s', numberText(seconds, least, most));
}
