import { svgElement } from '../../kit/svgElement.ts';
import { tenths } from './modelMark.ts';

export function markPath(d: string, className: string): SVGPathElement {
  return svgElement('path', { d, class: className });
}

export function markText(
  x: number,
  y: number,
  words: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
  className = 'chart-text',
): SVGTextElement {
  return svgElement('text', { x: tenths(x), y: tenths(y), 'text-anchor': anchor, class: className }, words);
}
