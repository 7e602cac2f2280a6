import type {
  ComparedModel,
  DotName,
  MeasuredComparison,
  MeasuredGroup,
  MeasuredResult,
} from '../../../shared/measuring.ts';
import { groupFigureText, tickTimeText, verdictReason, verdictText } from '../../../words/measuredWords.ts';
import { modelLabel, shortened } from '../../../words/modelLabel.ts';
import { numberText } from '../../../words/numberText.ts';
import { svgElement } from '../../kit/svgElement.ts';
import { asides, type Axis, axisTo, decimalsOf } from './chartScale.ts';
import { markPath, markText } from './chartMarks.ts';
import { modelClass, tenths, shapePath } from './modelMark.ts';

const DOT = 3;
const WIDE = 720;
const STRIP = 22;
const BOTTOM = 26;

interface Strip {
  readonly group: MeasuredGroup;
  readonly isFormer: boolean;
}

/**
 * The spread of one figure at one level of concurrency: a strip of dots for each model, and above it a hollow one for
 * an earlier run.
 */
export function spreadChart(
  result: MeasuredResult,
  comparison: MeasuredComparison | undefined,
  name: DotName,
  load: number,
  width: number,
): SVGSVGElement {
  const isWide = width >= WIDE;
  const rows = result.models.map((model, index) => {
    const compared = comparison?.models.find((each) => each.model === index && each.load === load);
    return { name: modelLabel(model.id), index, compared, strips: stripsOf(result, comparison, compared, index, load) };
  });
  const names = isWide ? 0 : 34;
  const rowHeight = (comparison === undefined ? STRIP : 2 * STRIP) + 18 + names;
  const left = isWide ? 250 : 6;
  const right = isWide && comparison !== undefined ? 190 : 14;
  const all = rows.flatMap(({ strips }) => strips.flatMap(({ group }) => group.dots.flatMap((dot) => dot[name] ?? [])));
  const axis = axisTo(Math.max(0, ...all), isWide ? 6 : 3);
  const inner = width - left - right;
  const x = (value: number): number => left + (value / axis.top) * inner;
  const bottom = rows.length * rowHeight;
  const svg = svgElement('svg', { class: 'chart-svg', width, height: bottom + BOTTOM, 'aria-hidden': 'true' });
  for (const tick of axis.ticks) {
    svg.append(markPath(`M${tenths(x(tick))} 0V${bottom}`, 'chart-grid'));
    svg.append(
      markText(
        x(tick),
        bottom + 17,
        tickText(name, tick, axis),
        tick === axis.top ? 'end' : tick === 0 ? 'start' : 'middle',
      ),
    );
  }
  for (const { name: shown, index, compared, strips } of rows) {
    const top = index * rowHeight + 6;
    const color = modelClass(index, rows.length);
    svg.append(markPath(shapePath(index, isWide ? 8 : 12, top + 8, 4.5), `chart-shape ${color}`));
    svg.append(markText(isWide ? 22 : 24, top + 12, shortened(shown, isWide ? 32 : 26), 'start', 'chart-name'));
    const said = saidOf(strips, compared, name);
    svg.append(markText(isWide ? 22 : 24, top + 28, said.figures));
    if (said.verdict !== '') {
      svg.append(markText(width - right + 16, top + 12, isWide ? said.verdict : '', 'start', 'chart-name'));
      svg.append(
        markText(
          isWide ? width - right + 16 : width - 6,
          top + (isWide ? 28 : 12),
          isWide ? said.reason : said.verdict,
          isWide ? 'start' : 'end',
        ),
      );
    }
    for (const [place, strip] of strips.entries()) {
      svg.append(...drawStrip(strip, name, top + names + place * STRIP + STRIP / 2, x, color));
    }
  }
  return svg;
}

function stripsOf(
  result: MeasuredResult,
  comparison: MeasuredComparison | undefined,
  compared: ComparedModel | undefined,
  model: number,
  load: number,
): readonly Strip[] {
  const today = result.groups.find((group) => group.model === model && group.load === load);
  const former =
    compared && comparison?.former.groups.find((group) => group.model === compared.former && group.load === load);
  return [
    ...(former === undefined ? [] : [{ group: { ...former, model }, isFormer: true }]),
    ...(today === undefined ? [] : [{ group: today, isFormer: false }]),
  ];
}

function drawStrip(
  { group, isFormer }: Strip,
  name: DotName,
  y: number,
  x: (value: number) => number,
  color: string,
): readonly SVGElement[] {
  const values = group.dots.flatMap((dot) => dot[name] ?? []);
  const places = values.map(x);
  const moved = asides(places, DOT * 1.7, STRIP / 2 - 4);
  const dots = places.map((place, index) => shapePath(group.model, place, y + (moved[index] ?? 0), DOT)).join('');
  const spread = group.spreads[name];
  const interval = spread?.interval;
  return [
    ...(interval === undefined
      ? []
      : [
          markPath(
            `M${tenths(x(interval.low))} ${tenths(y - 7)}H${tenths(x(interval.high))}v14H${tenths(x(interval.low))}Z`,
            `chart-interval ${color}`,
          ),
        ]),
    ...(dots === '' ? [] : [markPath(dots, isFormer ? 'chart-hollow' : `chart-dots ${color}`)]),
    ...(spread === undefined || interval === undefined
      ? []
      : [markPath(`M${tenths(x(spread.median))} ${tenths(y - 8)}v16`, 'chart-tick')]),
  ];
}

interface Said {
  readonly figures: string;
  readonly verdict: string;
  readonly reason: string;
}

function saidOf(strips: readonly Strip[], compared: ComparedModel | undefined, name: DotName): Said {
  const medians = strips.flatMap(({ group }) => {
    const spread = group.spreads[name];
    return spread === undefined ? [] : [groupFigureText(group, name, spread.median)];
  });
  const verdict = compared?.verdicts[name];
  return {
    figures: medians.join(' → '),
    verdict: verdict === undefined ? '' : verdictText(verdict),
    reason: verdict === undefined ? '' : verdictReason(verdict),
  };
}

function tickText(name: DotName, value: number, { ticks }: Axis): string {
  const [, step = 1] = ticks;
  if (name === 'tokensPerSecond') return numberText(value, 0, decimalsOf(step));
  return value === 0 ? '0' : tickTimeText(value, decimalsOf(step / 1000));
}
