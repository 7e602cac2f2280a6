import * as vscode from 'vscode';

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `2 hours ago`, in the language of the editor. */
export function agoText(at: number, now: number): string {
  const format = new Intl.RelativeTimeFormat(vscode.env.language, { numeric: 'auto' });
  const age = Math.max(0, now - at);
  const [unit, length] = units.find(([, unitMs]) => age >= unitMs) ?? ['second', 1000];
  return unit === 'second' ? vscode.l10n.t('just now') : format.format(-Math.floor(age / length), unit);
}
