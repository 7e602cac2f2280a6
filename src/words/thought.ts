import * as l10n from '@vscode/l10n';
import { durationText, wholeDurationText } from './duration.ts';

/** `Thought for 2 s`, or `Reasoning` if the duration is unknown. */
export function thoughtText(seconds: number | undefined): string {
  if (seconds === undefined) return l10n.t('Reasoning');
  return l10n.t('Thought for {0}', seconds < 0.995 ? durationText(seconds) : wholeDurationText(seconds));
}
