import { element } from '../kit/element.ts';
import { svgElement } from '../kit/svgElement.ts';

/** In the drawing's own units, because it's stretched to the page. */
const width = 300;
const height = 100;

export interface Bar {
  readonly value: number;
  /** Shown when the pointer is over the bar. */
  readonly hint: string;
}

/**
 * A plot with one bar per day, in the theme's colors. `name` describes it for screen readers, and the table below has
 * the numbers.
 */
export function barPlot(
  bars: readonly Bar[],
  labels: { readonly name: string; readonly first: string; readonly last: string; readonly top: string },
): HTMLElement {
  const svg = svgElement('svg', {
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'none',
    class: 'plot-bars',
    role: 'img',
    'aria-label': labels.name,
  });
  const greatest = Math.max(...bars.map(({ value }) => value), 0);
  const step = width / Math.max(bars.length, 1);
  for (const [index, { value, hint }] of bars.entries()) {
    // A value above zero is always visible.
    const tall = greatest > 0 && value > 0 ? Math.max(2, (value / greatest) * height) : 0;
    const column = svgElement('g', { class: 'plot-day' });
    column.append(
      svgElement('title', {}, hint),
      // The pointer can hover over the whole height of a day, so that low bars are easy to hit.
      svgElement('rect', { class: 'plot-reach', x: index * step, y: 0, width: step, height }),
      svgElement('rect', {
        class: 'plot-bar',
        x: (index + 0.1) * step,
        y: height - tall,
        width: step * 0.8,
        height: tall,
      }),
    );
    svg.append(column);
  }
  return element('div', { class: 'plot' }, words(labels.top), svg, words(labels.first, labels.last));
}

function words(...texts: readonly string[]): HTMLElement {
  return element(
    'div',
    { class: 'plot-words', 'aria-hidden': 'true' },
    ...texts.map((text) => element('span', {}, text)),
  );
}
