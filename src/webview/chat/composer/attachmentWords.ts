import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../../shared/attachment.ts';
import type { FigureFormat } from '../../kit/figureFormat.ts';

/** A size in bytes: `240 KB`, `1.2 MB`. */
export function byteWords(bytes: number, figures: FigureFormat): string {
  if (bytes < 1_000_000) return l10n.t('{0} KB', figures.count(Math.max(1, bytes / 1000)));
  return l10n.t('{0} MB', figures.rate(bytes / 1_000_000));
}

/** `≈ 120`, `≈ 1.2k`, `≈ 34k`, `≈ 1.0M`: an estimate, so no digit is given that means nothing. */
export function aboutTokens(tokens: number, figures: FigureFormat): string {
  if (tokens < 1000) return `≈ ${figures.count(tokens)}`;
  // What would be rounded to a thousand of them is a million.
  return tokens < 999_500 ? `≈ ${figures.rate(tokens / 1000)}k` : `≈ ${figures.rate(tokens / 1_000_000)}M`;
}

/** What stands small on the chip. */
export function sizeWords(attachment: Attachment, figures: FigureFormat): string {
  if (attachment.kind !== 'picture') return aboutTokens(attachment.tokens, figures);
  return byteWords(attachment.bytes, figures);
}

/** All there is to say about it, for the tooltip. */
export function fullWords(attachment: Attachment, figures: FigureFormat): string {
  const lines = [attachment.detail === '' ? attachment.name : attachment.detail];
  if (attachment.kind === 'picture') {
    const { width, height, bytes } = attachment;
    lines.push(l10n.t('{0} × {1} pixels, {2}', figures.count(width), figures.count(height), byteWords(bytes, figures)));
  }
  lines.push(l10n.t('≈ {0} tokens', figures.count(attachment.tokens)));
  if (attachment.kind !== 'picture') {
    lines.push(l10n.t('Captured at {0}. Click to see what will be sent.', figures.timeOfDay(attachment.at)));
  }
  return lines.join('\n');
}
