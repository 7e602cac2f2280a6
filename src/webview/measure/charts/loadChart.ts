import * as l10n from '@vscode/l10n';
import type { DotName, MeasuredGroup, MeasuredResult } from '../../../shared/measuring.ts';
import { numberText } from '../../../words/numberText.ts';
import { svgElement } from '../../kit/svgElement.ts';
import { markPath, markText } from './chartMarks.ts';
import { asides, type Axis, axisTo, decimalsOf, equalSteps } from './chartScale.ts';
import { crossPath, modelClass, tenths, shapePath } from './modelMark.ts';

export type LoadChartName = DotName | 'requestsPerSecond';

const HEIGHT = 226;
const PLOT = { left: 40, right: 10, top: 30, bottom: 40 };
const DOT = 3.5;
const TICK_HALF = 7;

interface Plot {
  readonly width: number;
  readonly x: (load: number, model: number) => number;
  readonly y: (value: number) => number;
  /** Room for the dots of one model, in pixels to either side. */
  readonly room: number;
}

/**
 * One figure by level of concurrency: a dot per request, a tick for the median, and failures as crosses above. Screen
 * readers get the chart's sentence and table instead.
 */
export function loadChart(result: MeasuredResult, name: LoadChartName, width: number, chosen: number): SVGSVGElement {
  const { models, loads, groups } = result;
  const axis = axisTo(Math.max(0, ...groups.map((group) => greatest(group, name))));
  const inner = { width: width - PLOT.left - PLOT.right, height: HEIGHT - PLOT.top - PLOT.bottom };
  const steps = equalSteps(loads.length, inner.width);
  const band = inner.width / Math.max(1, loads.length);
  const lane = (band * 0.78) / models.length;
  const plot: Plot = {
    width,
    x: (load, model) => {
      const middle = PLOT.left + (steps[loads.indexOf(load)] ?? 0);
      return name === 'requestsPerSecond' ? middle : middle + (model - (models.length - 1) / 2) * lane;
    },
    y: (value) => PLOT.top + inner.height * (1 - value / axis.top),
    room: Math.min(9, lane / 2 - 1),
  };
  const svg = svgElement('svg', { class: 'chart-svg', width, height: HEIGHT, 'aria-hidden': 'true' });
  if (loads.length > 1) {
    const left = PLOT.left + band * loads.indexOf(chosen);
    svg.append(
      markPath(
        `M${tenths(left)} ${PLOT.top}H${tenths(left + band)}V${PLOT.top + inner.height}H${tenths(left)}Z`,
        'chart-chosen',
      ),
    );
  }
  for (const tick of axis.ticks) {
    const y = plot.y(tick);
    svg.append(markPath(`M${PLOT.left} ${tenths(y)}H${tenths(width - PLOT.right)}`, 'chart-grid'));
    svg.append(markText(PLOT.left - 8, y + 4, axisText(name, tick, axis), 'end'));
  }
  for (const load of loads) {
    const x = PLOT.left + (steps[loads.indexOf(load)] ?? 0);
    svg.append(markText(x, HEIGHT - PLOT.bottom + 18, numberText(load), 'middle'));
  }
  svg.append(markText(PLOT.left + inner.width / 2, HEIGHT - 4, l10n.t('requests at once'), 'middle'));
  for (const [model] of models.entries()) {
    const own = groups.filter((group) => group.model === model);
    svg.append(...drawModel(own, name, plot, modelClass(model, models.length)));
  }
  if (name === 'firstMs') svg.append(...drawFailures(result, plot));
  return svg;
}

function drawModel(
  groups: readonly MeasuredGroup[],
  name: LoadChartName,
  plot: Plot,
  color: string,
): readonly SVGElement[] {
  const middles = groups.flatMap((group) => {
    const value = middleOf(group, name);
    return value === undefined ? [] : [{ group, x: plot.x(group.load, group.model), y: plot.y(value) }];
  });
  const line = middles.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${tenths(x)} ${tenths(y)}`).join('');
  const drawn: SVGElement[] = middles.length > 1 ? [markPath(line, `chart-line ${color}`)] : [];
  if (name === 'requestsPerSecond') {
    return [
      ...drawn,
      ...middles.map(({ group, x, y }) => markPath(shapePath(group.model, x, y, 4), `chart-shape ${color}`)),
    ];
  }
  for (const group of groups) {
    const values = group.dots.flatMap((dot) => dot[name] ?? []);
    const x = plot.x(group.load, group.model);
    const places = values.map(plot.y);
    const moved = asides(places, DOT * 1.6, plot.room);
    const dots = places.map((y, index) => shapePath(group.model, x + (moved[index] ?? 0), y, DOT)).join('');
    if (dots !== '') drawn.push(markPath(dots, `chart-dots ${color}`));
  }
  for (const { group, x, y } of middles) {
    if (group.spreads[name]?.interval === undefined) continue;
    drawn.push(markPath(`M${tenths(x - TICK_HALF)} ${tenths(y)}H${tenths(x + TICK_HALF)}`, 'chart-tick'));
  }
  return drawn;
}

/** Above the plot, because they have no figure. */
function drawFailures({ groups, loads }: MeasuredResult, plot: Plot): readonly SVGElement[] {
  return loads.flatMap((load) => {
    const failed = groups.filter((group) => group.load === load).reduce((sum, group) => sum + group.failed, 0);
    if (failed === 0) return [];
    const x = plot.x(load, (groups.length === 0 ? 0 : Math.max(...groups.map(({ model }) => model))) / 2);
    const end = Math.min(x + 26, plot.width - 4);
    return [
      markText(end - 14, 16, l10n.t('{0} failed', numberText(failed)), 'end', 'chart-failed'),
      markPath(crossPath(end - 5, 12, 3.5), 'chart-cross'),
    ];
  });
}

function greatest(group: MeasuredGroup, name: LoadChartName): number {
  if (name === 'requestsPerSecond') return group.requestsPerSecond ?? 0;
  return group.dots.reduce((most, dot) => Math.max(most, dot[name] ?? 0), 0);
}

function middleOf(group: MeasuredGroup, name: LoadChartName): number | undefined {
  return name === 'requestsPerSecond' ? group.requestsPerSecond : group.spreads[name]?.median;
}

/** In the unit of the chart's heading. */
function axisText(name: LoadChartName, value: number, { ticks }: Axis): string {
  const isTime = name === 'firstMs' || name === 'endToEndMs';
  const [, step = 1] = isTime ? ticks.map((tick) => tick / 1000) : ticks;
  return numberText(isTime ? value / 1000 : value, 0, decimalsOf(step));
}
