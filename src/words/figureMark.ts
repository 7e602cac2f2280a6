import * as l10n from '@vscode/l10n';
import type { Figure } from '../shared/chat.ts';

/**
 * `84`, `84°` if VS Code measured it, `≈ 84` if it was estimated from the text. The only place that adds these marks.
 */
export function withMark(text: string, from: Figure['from']): string {
  switch (from) {
    case 'service':
      return text;
    case 'here':
      return `${text}°`;
    case 'estimate':
      return withEstimateMark(text, true);
  }
}

export function withEstimateMark(text: string, isEstimate: boolean): string {
  return isEstimate ? `≈ ${text}` : text;
}

/** What the marks in these texts mean, one line each, for the tooltip beside them. */
export function marksExplained(...texts: readonly string[]): readonly string[] {
  const text = texts.join('');
  return [
    ...(text.includes('°') ? [l10n.t('° = measured in VS Code')] : []),
    ...(text.includes('≈') ? [l10n.t('≈ = estimated from the text')] : []),
  ];
}
