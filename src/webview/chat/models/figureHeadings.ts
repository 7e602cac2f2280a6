import * as l10n from '@vscode/l10n';
import { type ModelFigure, modelFigureNames } from '../../../shared/modelRow.ts';
import { element, icon } from '../../kit/element.ts';

/** The names of the figures in a model list. Selecting a heading sorts by it. */
export class FigureHeadings {
  readonly element = element('div', { class: 'model-heads' });
  readonly #buttons: ReadonlyMap<ModelFigure, HTMLButtonElement>;

  constructor(sort: (figure: ModelFigure) => void) {
    this.#buttons = new Map(
      modelFigureNames.map((figure) => {
        const button = element(
          'button',
          { type: 'button', class: 'model-heading', title: sortWords(figure) },
          element('span', {}, heading(figure)),
          icon('arrow-down'),
        );
        button.setAttribute('aria-label', `${heading(figure)}. ${sortWords(figure)}`);
        button.addEventListener('click', () => sort(figure));
        return [figure, button];
      }),
    );
    this.element.append(element('span', { class: 'model-heading-name' }, l10n.t('Model')), ...this.#buttons.values());
  }

  /** @param hasFigures false for a list without models */
  show(sortedBy: ModelFigure | undefined, hasFigures: boolean): void {
    this.element.hidden = !hasFigures;
    for (const [figure, button] of this.#buttons) {
      button.setAttribute('aria-pressed', String(figure === sortedBy));
    }
  }
}

function heading(figure: ModelFigure): string {
  switch (figure) {
    case 'speed':
      return l10n.t('Speed');
    case 'firstToken':
      return l10n.t('First token');
    case 'context':
      return l10n.t('Context');
    case 'price':
      return l10n.t('In/out per 1M');
  }
}

function sortWords(figure: ModelFigure): string {
  switch (figure) {
    case 'speed':
      return l10n.t('Sort by speed, fastest first');
    case 'firstToken':
      return l10n.t('Sort by time to first token, quickest first');
    case 'context':
      return l10n.t('Sort by context window, largest first');
    case 'price':
      return l10n.t('Sort by price, cheapest first');
  }
}

/** A row's text for screen readers. */
export function spokenFigure(figure: ModelFigure, text: string): string {
  switch (figure) {
    case 'speed':
      return text;
    case 'firstToken':
      return l10n.t('first token {0}', text);
    case 'context':
      return l10n.t('{0} context', text);
    case 'price':
      return l10n.t('price per 1M tokens {0}', text);
  }
}
