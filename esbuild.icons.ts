/** The icons of the pages: of VS Code's icon font those that a page names, since the whole font is 125 KB. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import subsetFont from 'subset-font';

const source = 'node_modules/@vscode/codicons/dist';
const rule = /\.codicon-([a-z0-9-]+):before\s*\{\s*content:\s*"\\([0-9a-f]+)";?\s*\}\s*/g;

/** What {@link iconsOfPages} writes, into the folder of the pages. */
export const iconFiles = ['codicon.css', 'codicon.ttf'] as const;

/** Writes the font and its style sheet beside the pages. An icon is in use when its name is a string of a script. */
export const iconsOfPages: Plugin = {
  name: 'icons-of-pages',
  setup(build) {
    build.onEnd(async ({ metafile }) => {
      const { outdir } = build.initialOptions;
      if (metafile === undefined || outdir === undefined) return;
      const scripts = Object.keys(metafile.outputs).filter((file) => file.endsWith('.js'));
      const texts = await Promise.all(scripts.map((script) => readFile(script, 'utf8')));
      const named = new Set(texts.flatMap((text) => text.match(/(?<=["'`])[a-z][a-z0-9-]*(?=["'`])/g) ?? []));
      const { css, font } = await iconsOf(named);
      await Promise.all([writeFile(join(outdir, iconFiles[0]), css), writeFile(join(outdir, iconFiles[1]), font)]);
    });
  },
};

async function iconsOf(names: ReadonlySet<string>): Promise<{ readonly css: string; readonly font: Uint8Array }> {
  let glyphs = '';
  const whole = await readFile(join(source, iconFiles[0]), 'utf8');
  const css = whole.replace(rule, (text, name: string, code: string) => {
    if (!names.has(name)) return '';
    glyphs += String.fromCodePoint(Number.parseInt(code, 16));
    return text;
  });
  return { css, font: await subsetFont(await readFile(join(source, iconFiles[1])), glyphs) };
}
