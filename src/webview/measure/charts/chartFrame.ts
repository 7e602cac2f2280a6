import * as l10n from '@vscode/l10n';
import type { ToMeasureHost } from '../../../shared/protocol/measureProtocol.ts';
import { element, iconButton, setText, textButton } from '../../kit/element.ts';
import { openMenu } from '../../kit/popupMenu.ts';
import { chartPng, chartSvg } from './chartImage.ts';

export interface ChartContent {
  /** The content of the chart, in a sentence. */
  readonly label: string;
  readonly draw: (width: number) => SVGSVGElement;
  readonly table: () => HTMLElement;
}

/** The frame of each chart: its heading, and buttons to show it as a table and to save it. A single tab stop. */
export class ChartFrame {
  readonly element = element('figure', { class: 'chart' });
  readonly #picture = element('div', { class: 'chart-picture', role: 'img', tabindex: '0' });
  readonly #table = element('div', { class: 'chart-table', hidden: true });
  readonly #toggle: HTMLButtonElement;
  readonly #title = element('figcaption', {});
  #content: ChartContent | undefined;
  #width = 0;

  /**
   * @param name for file names
   * @param step called for the arrow keys: -1 or 1
   */
  constructor(name: string, post: (message: ToMeasureHost) => void, step: (by: number) => void) {
    this.#toggle = textButton('link', '', () => {
      this.#table.hidden = !this.#table.hidden;
      this.#show();
    });
    const save = iconButton('save-as', l10n.t('Save Chart…'), () => {
      openMenu(save, l10n.t('Save Chart…'), [
        [
          { label: l10n.t('SVG…'), run: () => this.#saveSvg(name, post) },
          { label: l10n.t('PNG…'), run: () => void this.#savePng(name, post) },
        ],
      ]);
    });
    save.setAttribute('aria-haspopup', 'menu');
    this.#picture.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      event.preventDefault();
      step(event.key === 'ArrowLeft' ? -1 : 1);
    });
    this.element.append(
      element('div', { class: 'chart-head' }, this.#title, this.#toggle, save),
      this.#picture,
      this.#table,
    );
    new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width === this.#width) return;
      this.#width = width;
      this.#show();
    }).observe(this.element);
  }

  show(title: readonly (Node | string)[], content: ChartContent): void {
    this.#title.replaceChildren(...title);
    this.#content = content;
    this.#show();
  }

  #show(): void {
    const content = this.#content;
    setText(this.#toggle, this.#table.hidden ? l10n.t('Show as Table') : l10n.t('Show as Chart'));
    this.#picture.hidden = !this.#table.hidden;
    if (content === undefined || this.#width === 0) return;
    if (this.#table.hidden) {
      this.#picture.setAttribute('aria-label', content.label);
      this.#picture.replaceChildren(content.draw(Math.max(180, this.#width)));
    } else this.#table.replaceChildren(content.table());
  }

  #saveSvg(name: string, post: (message: ToMeasureHost) => void): void {
    const svg = this.#drawn();
    if (svg !== null) post({ type: 'saveSvg', name, text: chartSvg(svg) });
  }

  async #savePng(name: string, post: (message: ToMeasureHost) => void): Promise<void> {
    const svg = this.#drawn();
    if (svg !== null) post({ type: 'savePng', name, bytes: await chartPng(svg) });
  }

  /** Hidden elements have no computed colors. */
  #drawn(): SVGSVGElement | null {
    if (!this.#table.hidden) this.#toggle.click();
    return this.#picture.querySelector('svg');
  }
}
