import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../../shared/attachment.ts';
import { bytesText } from '../../../words/bytes.ts';
import { marksExplained, withEstimateMark } from '../../../words/figureMark.ts';
import { timeOfDayText } from '../../../words/moment.ts';
import { numberText } from '../../../words/numberText.ts';
import { compactTokens, tokensText } from '../../../words/tokens.ts';

/** What stands small on the chip. */
export function sizeWords(attachment: Attachment): string {
  return attachment.kind === 'picture'
    ? bytesText(attachment.bytes)
    : withEstimateMark(compactTokens(attachment.tokens), true);
}

/** All there is to say about it, for the tooltip. */
export function fullWords(attachment: Attachment): string {
  const tokens = tokensText(attachment.tokens, true);
  const lines = [attachment.detail === '' ? attachment.name : attachment.detail];
  if (attachment.kind === 'picture') {
    const { width, height, bytes } = attachment;
    lines.push(l10n.t('{0} × {1} pixels, {2}', numberText(width), numberText(height), bytesText(bytes)), tokens);
  } else {
    lines.push(tokens, l10n.t('Captured at {0}. Click to see what will be sent.', timeOfDayText(attachment.at)));
  }
  return [...lines, ...marksExplained(tokens)].join('\n');
}
