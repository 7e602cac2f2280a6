import * as l10n from '@vscode/l10n';
import { numberText, shortNumberText } from './numberText.ts';

const kilo = 1024;

/**
 * A size: `1 byte`, `999 bytes`, `120 KB`, `4.2 MB`, `1.3 GB`. Units are powers of 1,024, as in VS Code and in our
 * limits.
 */
export function bytesText(bytes: number): string {
  if (bytes === 1) return l10n.t('1 byte');
  if (bytes < kilo) return l10n.t('{0} bytes', numberText(bytes));
  // A size that would be rounded up to the next unit is written as 1 of that unit.
  if (bytes < 999.5 * kilo) return l10n.t('{0} KB', shortNumberText(bytes / kilo));
  if (bytes < 999.5 * kilo ** 2) return l10n.t('{0} MB', shortNumberText(bytes / kilo ** 2));
  return l10n.t('{0} GB', shortNumberText(bytes / kilo ** 3));
}
