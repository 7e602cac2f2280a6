import * as l10n from '@vscode/l10n';
import { type MadeType, madeTypeOf, madeTypes, type MediaKind } from '../../shared/media.ts';
import type { MediaItemView, OutputView } from '../../shared/protocol/mediaProtocol.ts';
import { element, icon, setText } from '../kit/element.ts';
import { bytesText } from '../../words/bytes.ts';
import { modelLabel } from '../../words/modelLabel.ts';

export const kindIcons: Readonly<Record<MediaKind, string>> = { video: 'device-camera-video', image: 'file-media' };

/** The image or video of a result. Its file is only loaded while the card is near the viewport. */
export class OutputFrame {
  readonly element = element('div', { class: 'frame' });
  readonly #onBroken: () => void;
  #key = '';
  #src: string | undefined;
  #media: HTMLVideoElement | HTMLImageElement | undefined;
  #isNear = false;
  #progress: { readonly bar: HTMLElement; readonly words: HTMLElement } | undefined;

  /** @param onBroken called if the file is missing or can't be shown. */
  constructor(onBroken: () => void) {
    this.#onBroken = onBroken;
  }

  show(item: MediaItemView, output: OutputView): void {
    const key = `${output.state} ${output.src ?? ''}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#draw(item, output);
    }
    if (this.#progress !== undefined && output.state === 'downloading') this.#drawProgress(output);
  }

  /** A video that is playing isn't changed. */
  setNear(isNear: boolean): void {
    this.#isNear = isNear;
    const media = this.#media;
    if (media === undefined || this.#src === undefined) return;
    if (isNear) {
      if (!media.hasAttribute('src')) media.src = this.#src;
    } else if (media.hasAttribute('src') && !(media instanceof HTMLVideoElement && media.currentTime > 0)) {
      media.removeAttribute('src');
      if (media instanceof HTMLVideoElement) media.load();
    }
  }

  #draw(item: MediaItemView, output: OutputView): void {
    this.#media = undefined;
    this.#progress = undefined;
    this.#src = output.src;
    this.element.classList.toggle('is-missing', output.state === 'failed' || output.state === 'waiting');
    const type = madeTypeOf(output.mediaType);
    this.element.classList.toggle('is-image', type !== undefined && frames[type].isNarrow);
    if (output.state === 'saved' && output.src !== undefined) {
      this.#media = frames[type ?? madeTypes[item.kind]].draw(item);
      this.#media.addEventListener('error', () => {
        if (this.#media?.hasAttribute('src') === true) this.#break();
      });
      this.element.replaceChildren(this.#media);
      this.setNear(this.#isNear);
    } else if (output.state === 'downloading') {
      const bar = element('div', { class: 'bar' });
      const words = element('div', { class: 'frame-words' });
      this.#progress = { bar, words };
      this.element.replaceChildren(icon('cloud-download'), words, element('div', { class: 'track' }, bar));
    } else {
      this.element.replaceChildren(icon(kindIcons[item.kind]));
      this.element.append(element('div', { class: 'frame-words' }, l10n.t('Not downloaded')));
    }
  }

  #drawProgress({ receivedBytes = 0, totalBytes }: OutputView): void {
    const { bar, words } = this.#progress ?? {};
    if (bar === undefined || words === undefined) return;
    const share = totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(1, receivedBytes / totalBytes);
    bar.classList.toggle('endless', share === undefined);
    bar.style.inlineSize = share === undefined ? '' : `${share * 100}%`;
    const received = bytesText(receivedBytes);
    const text =
      totalBytes === undefined
        ? l10n.t('Downloading, {0}', received)
        : l10n.t('Downloading, {0} of {1}', received, bytesText(totalBytes));
    setText(words, text);
  }

  #break(): void {
    this.#media = undefined;
    this.element.replaceChildren(
      icon('warning'),
      element(
        'div',
        { class: 'frame-words' },
        l10n.t("VS Code can't show this file. Save it, or open it outside VS Code."),
      ),
    );
    this.#onBroken();
  }
}

function film(item: MediaItemView): HTMLVideoElement {
  const video = element('video', { controls: true, preload: 'metadata', playsinline: true });
  video.setAttribute('aria-label', item.prompt === '' ? modelLabel(item.model) : item.prompt.slice(0, 200));
  return video;
}

function picture(item: MediaItemView): HTMLImageElement {
  return element('img', {
    alt: item.prompt === '' ? modelLabel(item.model) : item.prompt.slice(0, 200),
    decoding: 'async',
  });
}

interface Frame {
  readonly draw: (item: MediaItemView) => HTMLVideoElement | HTMLImageElement;
  /** Until the result is shown, its frame is 4 by 3 instead of 16 by 9. */
  readonly isNarrow: boolean;
}

const frames: Readonly<Record<MadeType, Frame>> = {
  video: { draw: film, isNarrow: false },
  image: { draw: picture, isNarrow: true },
};
