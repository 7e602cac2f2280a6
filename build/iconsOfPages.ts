import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import subsetFont from 'subset-font';

const source = 'node_modules/@vscode/codicons/dist';
const rule = /\.codicon-([a-z0-9-]+):before\s*\{\s*content:\s*"\\([0-9a-f]+)";?\s*\}\s*/g;

/**
 * Writes VS Code's icon font and its style sheet, with only the icons that a page uses: the whole font is 125 KB. An
 * icon is in use if its name is a string in a script.
 */
export const iconsOfPages: Plugin = {
  name: 'icons-of-pages',
  setup(build) {
    build.onEnd(async ({ metafile }) => {
      const { outdir } = build.initialOptions;
      if (metafile === undefined || outdir === undefined) return;
      const scripts = Object.keys(metafile.outputs).filter((file) => file.endsWith('.js'));
      const texts = await Promise.all(scripts.map((script) => readFile(script, 'utf8')));
      const named = new Set(texts.flatMap((text) => text.match(/(?<=["'`])[a-z][a-z0-9-]*(?=["'`])/g) ?? []));
      for (const [name, content] of Object.entries(await iconsOf(named))) {
        const file = join(outdir, name);
        await writeFile(file, content);
        metafile.outputs[file] = { bytes: content.length, inputs: {}, imports: [], exports: [] };
      }
    });
  },
};

async function iconsOf(names: ReadonlySet<string>): Promise<Readonly<Record<string, string | Uint8Array>>> {
  let glyphs = '';
  const whole = await readFile(join(source, 'codicon.css'), 'utf8');
  const css = whole.replace(rule, (text, name: string, code: string) => {
    if (!names.has(name)) return '';
    glyphs += String.fromCodePoint(Number.parseInt(code, 16));
    return text;
  });
  const font = await subsetFont(await readFile(join(source, 'codicon.ttf')), glyphs);
  return { 'codicon.css': css, 'codicon.ttf': font };
}
