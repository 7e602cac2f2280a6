/** Further models don't have their own color. */
const MOST_COLORS = 6;

/** The class for a model's color, by its index. */
export function modelClass(model: number, models: number): string {
  return models > MOST_COLORS ? 'model-grey' : `model-${model}`;
}

/** The outline of a model's shape around a point, because color alone isn't enough. */
export function shapePath(model: number, x: number, y: number, radius: number): string {
  const r = radius;
  switch (model % MOST_COLORS) {
    case 0:
      return `M${tenths(x)} ${tenths(y - r)}L${tenths(x + r)} ${tenths(y + r * 0.8)}H${tenths(x - r)}Z`;
    case 1:
      return `M${tenths(x - r)} ${tenths(y)}a${tenths(r)} ${tenths(r)} 0 1 0 ${tenths(2 * r)} 0a${tenths(r)} ${tenths(r)} 0 1 0 ${tenths(-2 * r)} 0Z`;
    case 2:
      return box(x, y, r * 0.85, r * 0.85);
    case 3:
      return `M${tenths(x)} ${tenths(y - r * 1.1)}L${tenths(x + r * 1.1)} ${tenths(y)}L${tenths(x)} ${tenths(y + r * 1.1)}L${tenths(x - r * 1.1)} ${tenths(y)}Z`;
    case 4:
      return `M${tenths(x)} ${tenths(y + r)}L${tenths(x + r)} ${tenths(y - r * 0.8)}H${tenths(x - r)}Z`;
    default:
      return box(x, y, r, r * 0.4);
  }
}

function box(x: number, y: number, wide: number, high: number): string {
  const [left, right, top, bottom] = [x - wide, x + wide, y - high, y + high].map(tenths);
  return `M${left} ${top}H${right}V${bottom}H${left}Z`;
}

/** A cross, for failures. */
export function crossPath(x: number, y: number, radius: number): string {
  const r = radius;
  return `M${tenths(x - r)} ${tenths(y - r)}L${tenths(x + r)} ${tenths(y + r)}M${tenths(x + r)} ${tenths(y - r)}L${tenths(x - r)} ${tenths(y + r)}`;
}

/** A tenth of a pixel is finer than any screen. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
