/**
 * Charts only consist of paths and texts, so that each can be saved as SVG, with the theme's colors in it, or painted
 * on a canvas. Using the SVG in an `img` would require a policy that lets pages show images.
 */
interface Drawn {
  readonly node: SVGPathElement | SVGTextElement;
  readonly style: CSSStyleDeclaration;
}

/** For both screens and print. */
const PIXELS_PER_UNIT = 2;

/** The chart as a separate file. */
export function chartSvg(svg: SVGSVGElement): string {
  const { width, height } = sizeOf(svg);
  const parts = drawnIn(svg).map(({ node, style }) => {
    const copy = node.cloneNode(true);
    if (!(copy instanceof SVGElement)) return '';
    for (const name of ['class', 'style']) copy.removeAttribute(name);
    for (const name of ['fill', 'stroke'] as const) {
      const { hex, opacity } = plainColor(style[name]);
      copy.setAttribute(name, hex);
      if (opacity < 1) copy.setAttribute(`${name}-opacity`, String(opacity));
    }
    for (const name of ['opacity', 'stroke-width']) copy.setAttribute(name, style.getPropertyValue(name));
    if (node instanceof SVGTextElement) {
      for (const name of ['font-family', 'font-size', 'font-weight', 'text-anchor']) {
        copy.setAttribute(name, style.getPropertyValue(name));
      }
    }
    return new XMLSerializer().serializeToString(copy);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${plainColor(background()).hex}"/>${parts.join('')}</svg>\n`;
}

/** The chart as a PNG, twice its size on the page. */
export async function chartPng(svg: SVGSVGElement): Promise<Uint8Array> {
  const { width, height } = sizeOf(svg);
  const canvas = document.createElement('canvas');
  canvas.width = width * PIXELS_PER_UNIT;
  canvas.height = height * PIXELS_PER_UNIT;
  const paint = canvas.getContext('2d');
  if (paint === null) throw new Error('There is no canvas to paint on');
  paint.scale(PIXELS_PER_UNIT, PIXELS_PER_UNIT);
  paint.fillStyle = background();
  paint.fillRect(0, 0, width, height);
  for (const drawn of drawnIn(svg)) paintOne(paint, drawn);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (blob === null) throw new Error('The chart is too large for an image');
  return new Uint8Array(await blob.arrayBuffer());
}

function paintOne(paint: CanvasRenderingContext2D, { node, style }: Drawn): void {
  paint.globalAlpha = Number(style.opacity);
  if (node instanceof SVGTextElement) {
    paint.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    paint.textAlign = style.textAnchor === 'middle' ? 'center' : style.textAnchor === 'end' ? 'right' : 'left';
    paint.fillStyle = style.fill;
    paint.fillText(node.textContent, Number(node.getAttribute('x')), Number(node.getAttribute('y')));
    return;
  }
  const path = new Path2D(node.getAttribute('d') ?? '');
  if (style.fill !== 'none') {
    paint.fillStyle = style.fill;
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- no array: a path on a canvas
    paint.fill(path);
  }
  if (style.stroke !== 'none') {
    paint.strokeStyle = style.stroke;
    paint.lineWidth = Number.parseFloat(style.strokeWidth);
    paint.stroke(path);
  }
}

function drawnIn(svg: SVGSVGElement): readonly Drawn[] {
  return Array.from(svg.querySelectorAll<SVGPathElement | SVGTextElement>('path, text'), (node) => ({
    node,
    style: getComputedStyle(node),
  }));
}

/**
 * A color as every program can read it: browsers write some as `color(srgb …)` or `oklch(…)`, which few others know.
 */
function plainColor(color: string): { readonly hex: string; readonly opacity: number } {
  const paint = color === 'none' ? null : new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (paint === null) return { hex: 'none', opacity: 1 };
  paint.fillStyle = color;
  paint.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 255] = paint.getImageData(0, 0, 1, 1).data;
  const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('');
  return { hex: `#${hex}`, opacity: Math.round((alpha / 255) * 100) / 100 };
}

function sizeOf(svg: SVGSVGElement): { readonly width: number; readonly height: number } {
  return { width: Math.ceil(svg.width.baseVal.value), height: Math.ceil(svg.height.baseVal.value) };
}

function background(): string {
  const color = getComputedStyle(document.body).getPropertyValue('--vscode-editor-background').trim();
  return color === '' ? 'white' : color;
}
