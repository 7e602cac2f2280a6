import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * marked is one minified file whose last lines create the whole library, which prevents tree shaking. This removes
 * those lines, because the page only uses the lexer.
 */
export const lexerOfMarked: Plugin = {
  name: 'lexer-of-marked',
  setup(build) {
    build.onLoad({ filter: /[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const library = /var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/.exec(text);
      const [lexer, tokenizer] = ['Lexer', 'Tokenizer'].map(
        (name) => new RegExp(`(\\w+) as ${name}\\b`).exec(text)?.[1],
      );
      if (!library || !lexer || !tokenizer) throw new Error('marked has another form now: see lexerOfMarked');
      return { contents: `${text.slice(0, library.index)}export{${lexer} as Lexer,${tokenizer} as Tokenizer}` };
    });
  },
};
