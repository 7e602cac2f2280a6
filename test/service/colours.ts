/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** @param hue in turns; saturation and lightness from 0 to 1 */
export function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const at = (offset + hue * 12) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** The colour that is `share` of the way from one to the other. */
export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const between = (channel: 0 | 1 | 2): number => Math.round(from[channel] + (to[channel] - from[channel]) * share);
  return [between(0), between(1), between(2)];
}

/** YCbCr of BT.601, limited range. */
export function toYcbcr([red, green, blue]: Rgb): readonly [y: number, cb: number, cr: number] {
  return [
    Math.round(16 + 0.257 * red + 0.504 * green + 0.098 * blue),
    Math.round(128 - 0.148 * red - 0.291 * green + 0.439 * blue),
    Math.round(128 + 0.439 * red - 0.368 * green - 0.071 * blue),
  ];
}
