import { type Attachment, contextIcons, type PictureAttachment, pictureEndings } from '../../shared/attachment.ts';
import { fullWords, sizeWords, spokenWords } from './attachmentWords.ts';
import { element, icon } from './element.ts';
import type { FigureFormat } from './figureFormat.ts';

/** What a chip needs of the page around it. */
export interface ChipSurroundings {
  readonly figures: FigureFormat;
  /** Address of the folder with the pictures; ends in a slash. */
  readonly folder: string;
  readonly open: (id: string) => void;
}

/** A thing that goes with a message: what it is, how large, and a click away what exactly is sent. */
export function attachmentChip(attachment: Attachment, { figures, folder, open }: ChipSurroundings): HTMLButtonElement {
  const face = attachment.kind === 'picture' ? thumbnail(attachment, folder) : icon(contextIcons[attachment.kind]);
  const chip = element(
    'button',
    {
      type: 'button',
      class: attachment.kind === 'picture' ? 'chip-open picture' : 'chip-open',
      title: fullWords(attachment, figures),
      'aria-label': spokenWords(attachment, figures),
    },
    face,
    element('span', { class: 'chip-name' }, attachment.name),
    element('span', { class: 'chip-size' }, sizeWords(attachment, figures)),
  );
  chip.addEventListener('click', () => open(attachment.id));
  return chip;
}

function thumbnail({ id, name, mediaType, width, height }: PictureAttachment, folder: string): HTMLImageElement {
  return element('img', {
    class: 'thumbnail',
    src: `${folder}${id}.${pictureEndings[mediaType]}`,
    alt: name,
    // The browser keeps the place free by these until the picture is there.
    width: String(width),
    height: String(height),
    loading: 'lazy',
    draggable: 'false',
  });
}
