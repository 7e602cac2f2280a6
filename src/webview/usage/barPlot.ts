const width = 720;
const height = 150;
const gap = 3;
const axis = 18;

export interface Bar {
  readonly value: number;
  /** Said when the pointer rests on the bar. */
  readonly hint: string;
}

/** A plot of a bar a day, in the theme's colours. `name` says all of it to a screen reader; the table below has the numbers. */
export function barPlot(
  bars: readonly Bar[],
  labels: { readonly name: string; readonly first: string; readonly last: string; readonly top: string },
): SVGSVGElement {
  const svg = shape('svg', {
    viewBox: `0 0 ${width} ${height}`,
    class: 'plot',
    role: 'img',
    'aria-label': labels.name,
  });
  const floor = height - axis;
  const greatest = Math.max(...bars.map(({ value }) => value), 0);
  const step = width / Math.max(bars.length, 1);
  svg.append(shape('line', { class: 'plot-line', x1: 0, x2: width, y1: 0.5, y2: 0.5 }));
  for (const [index, { value, hint }] of bars.entries()) {
    // What is not nothing is seen.
    const tall = greatest > 0 && value > 0 ? Math.max(2, (value / greatest) * (floor - 1)) : 0;
    const column = shape('g', { class: 'plot-day' });
    const title = shape('title', {});
    title.textContent = hint;
    column.append(
      title,
      // The pointer finds a low bar by the whole height of its day.
      shape('rect', { class: 'plot-reach', x: index * step, y: 0, width: step, height: floor }),
      shape('rect', {
        class: 'plot-bar',
        x: index * step + gap / 2,
        y: floor - tall,
        width: Math.max(1, step - gap),
        height: tall,
        rx: Math.min(2, tall / 2),
      }),
    );
    svg.append(column);
  }
  svg.append(shape('line', { class: 'plot-line', x1: 0, x2: width, y1: floor + 0.5, y2: floor + 0.5 }));
  svg.append(words(labels.first, 0, height - 4, 'start'), words(labels.last, width, height - 4, 'end'));
  svg.append(words(labels.top, 0, 14, 'start'));
  return svg;
}

function words(text: string, x: number, y: number, anchor: 'start' | 'end'): SVGTextElement {
  const made = shape('text', { class: 'plot-words', x, y, 'text-anchor': anchor });
  made.textContent = text;
  return made;
}

function shape<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[K] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
