import { svgElement } from '../../kit/svgElement.ts';
import { modelClass, shapePath } from './modelMark.ts';

/** A model's shape in its color, for tables and legends, where its name is next to it. */
export function modelIcon(model: number, models: number): SVGSVGElement {
  const shape = svgElement('path', {
    d: shapePath(model, 6, 6, 4.5),
    class: `chart-shape ${modelClass(model, models)}`,
  });
  return svgElement('svg', { class: 'model-mark', width: 12, height: 12, 'aria-hidden': 'true' }, shape);
}
