import { element } from '../kit/element.ts';

/** Of the drawing's own units: it is stretched to the page. */
const width = 300;
const height = 100;

export interface Bar {
  readonly value: number;
  /** Said when the pointer rests on the bar. */
  readonly hint: string;
}

/** A plot of a bar a day, in the theme's colors. `name` says all of it to a screen reader; the table below has the numbers. */
export function barPlot(
  bars: readonly Bar[],
  labels: { readonly name: string; readonly first: string; readonly last: string; readonly top: string },
): HTMLElement {
  const svg = shape('svg', {
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'none',
    class: 'plot-bars',
    role: 'img',
    'aria-label': labels.name,
  });
  const greatest = Math.max(...bars.map(({ value }) => value), 0);
  const step = width / Math.max(bars.length, 1);
  for (const [index, { value, hint }] of bars.entries()) {
    // What is not nothing is seen.
    const tall = greatest > 0 && value > 0 ? Math.max(2, (value / greatest) * height) : 0;
    const column = shape('g', { class: 'plot-day' });
    const title = shape('title', {});
    title.textContent = hint;
    column.append(
      title,
      // The pointer finds a low bar by the whole height of its day.
      shape('rect', { class: 'plot-reach', x: index * step, y: 0, width: step, height }),
      shape('rect', { class: 'plot-bar', x: (index + 0.1) * step, y: height - tall, width: step * 0.8, height: tall }),
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

function shape<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[K] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
