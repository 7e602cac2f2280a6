import { fromHsl, mix, type Rgb, toYcbcr } from '../colours.ts';
import { seededRandom } from '../seededRandom.ts';
import type { VideoPlan } from './videoPlan.ts';
import type { Mosaic } from './vp8/mosaic.ts';

type Colour = ReturnType<typeof toYcbcr>;

interface Disc {
  readonly colour: Colour;
  /** Share of the shorter side. */
  readonly radius: number;
  /** Whole turns in the length of the video, across and down, so that its end meets its start. */
  readonly turns: readonly [across: number, down: number];
  /** Turns. */
  readonly phase: number;
}

/** Discs that wander over a gradient, and a bar below that fills as time passes. The seed decides it all. */
export class Scene {
  readonly #gradient: readonly [top: Rgb, bottom: Rgb];
  readonly #discs: readonly Disc[];
  readonly #elapsed: Colour;
  readonly #ahead: Colour;

  constructor({ seed, discs }: Pick<VideoPlan, 'seed' | 'discs'>) {
    const random = seededRandom(seed);
    const hue = random();
    this.#gradient = [fromHsl(hue, 0.45, 0.25), fromHsl(hue + 0.15, 0.55, 0.65)];
    this.#elapsed = toYcbcr(fromHsl(hue + 0.5, 0.8, 0.6));
    this.#ahead = toYcbcr(fromHsl(hue, 0.2, 0.15));
    this.#discs = Array.from({ length: discs }, () => ({
      colour: toYcbcr(fromHsl(random(), 0.75, 0.55)),
      radius: 0.06 + 0.1 * random(),
      turns: [1 + Math.floor(random() * 3), 1 + Math.floor(random() * 3)],
      phase: random(),
    }));
  }

  /** Paints the moment at `time`: 0 is the start, 1 the end. */
  paint(mosaic: Mosaic, time: number): void {
    const { columns, rows } = mosaic;
    const barRows = Math.max(1, Math.round(rows / 24));
    for (let row = 0; row < rows; row += 1) {
      const inBar = row >= rows - barRows;
      const sky = inBar ? this.#ahead : toYcbcr(mix(...this.#gradient, row / rows));
      const elapsedColumns = inBar ? Math.round(time * columns) : 0;
      for (let column = 0; column < columns; column += 1) {
        set(mosaic, row * columns + column, column < elapsedColumns ? this.#elapsed : sky);
      }
    }
    for (const disc of this.#discs) drawDisc(mosaic, disc, time, rows - barRows);
  }
}

function drawDisc(mosaic: Mosaic, { colour, radius, turns, phase }: Disc, time: number, rows: number): void {
  const { columns } = mosaic;
  const reach = Math.max(1, radius * Math.min(columns, rows));
  const place = (side: number, turn: number, shift: number): number =>
    side / 2 + Math.max(0, side / 2 - reach) * Math.sin(2 * Math.PI * (turn * time + phase + shift));
  const x = place(columns, turns[0], 0);
  const y = place(rows, turns[1], 0.25);
  for (let row = Math.max(0, Math.floor(y - reach)); row < Math.min(rows, y + reach); row += 1) {
    for (let column = Math.max(0, Math.floor(x - reach)); column < Math.min(columns, x + reach); column += 1) {
      if (Math.hypot(column + 0.5 - x, row + 0.5 - y) <= reach) set(mosaic, row * columns + column, colour);
    }
  }
}

function set({ y, u, v }: Mosaic, at: number, [luma, blue, red]: Colour): void {
  y[at] = luma;
  u[at] = blue;
  v[at] = red;
}
