import * as l10n from '@vscode/l10n';
import { type Attachment, contextIcons, type PictureAttachment, pictureEndings } from '../../../shared/attachment.ts';
import { element, icon } from '../../kit/element.ts';
import { bytesText } from '../../../words/bytes.ts';
import { marksExplained, withEstimateMark } from '../../../words/figureMark.ts';
import { timeOfDayText } from '../../../words/moment.ts';
import { numberText } from '../../../words/numberText.ts';
import { compactTokens, tokensText } from '../../../words/tokens.ts';

/** What a chip needs from the page around it. */
export interface ChipSurroundings {
  /** URL of the folder with the images; ends with a slash. */
  readonly folder: string;
  readonly open: (id: string) => void;
}

/** An attachment: what it is, how large it is, and, after a click, exactly what is sent. */
export function attachmentChip(attachment: Attachment, { folder, open }: ChipSurroundings): HTMLButtonElement {
  const face = attachment.kind === 'picture' ? thumbnail(attachment, folder) : icon(contextIcons[attachment.kind]);
  const chip = element(
    'button',
    {
      type: 'button',
      class: attachment.kind === 'picture' ? 'chip-open picture' : 'chip-open',
      title: fullWords(attachment),
    },
    face,
    // The accessible name starts with the visible text, so that users of voice control can say it.
    ...(attachment.kind === 'picture' ? [spoken(`${l10n.t('Image')} `)] : []),
    element('span', { class: 'chip-name' }, attachment.name),
    spoken(', '),
    element('span', { class: 'chip-size' }, sizeWords(attachment)),
    ...(attachment.kind === 'picture'
      ? []
      : [spoken(` ${attachment.tokens === 1 ? l10n.t('token') : l10n.t('tokens')}`)]),
  );
  chip.addEventListener('click', () => open(attachment.id));
  return chip;
}

function spoken(words: string): HTMLElement {
  return element('span', { class: 'visually-hidden' }, words);
}

function thumbnail({ id, mediaType, width, height }: PictureAttachment, folder: string): HTMLImageElement {
  return element('img', {
    class: 'thumbnail',
    src: `${folder}${id}.${pictureEndings[mediaType]}`,
    alt: '',
    // They reserve the space until the image is loaded.
    width: String(width),
    height: String(height),
    loading: 'lazy',
    draggable: 'false',
  });
}

/** The small text on the chip. */
function sizeWords(attachment: Attachment): string {
  return attachment.kind === 'picture'
    ? bytesText(attachment.bytes)
    : withEstimateMark(compactTokens(attachment.tokens), true);
}

/** All details, for the tooltip. */
function fullWords(attachment: Attachment): string {
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
