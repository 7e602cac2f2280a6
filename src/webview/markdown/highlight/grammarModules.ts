import type { LanguageRegistration } from '@shikijs/types';

type Registrations = readonly LanguageRegistration[];

// Written out, because the bundler creates a file for each `import()` that it can read.
const configGrammars = () => import('./grammars/configGrammars.ts');
const shellGrammars = () => import('./grammars/shellGrammars.ts');
const pageGrammars = () => import('./grammars/pageGrammars.ts');
const frameworkGrammars = () => import('./grammars/frameworkGrammars.ts');
const jvmGrammars = () => import('./grammars/jvmGrammars.ts');
const functionalGrammars = () => import('./grammars/functionalGrammars.ts');
const numericGrammars = () => import('./grammars/numericGrammars.ts');
const scriptGrammars = () => import('./grammars/scriptGrammars.ts');
const systemGrammars = () => import('./grammars/systemGrammars.ts');
const cppGrammars = () => import('./grammars/cppGrammars.ts');

/**
 * The included grammars by their TextMate names, each without embedded languages. The large ones are separate files,
 * the others are grouped by common use, with none much larger than the largest.
 */
export const grammarModules: { readonly [name: string]: (() => Promise<Registrations>) | undefined } = {
  bat: async () => (await shellGrammars()).bat,
  c: async () => (await import('@shikijs/langs/c')).default,
  clojure: async () => (await functionalGrammars()).clojure,
  cmake: async () => (await configGrammars()).cmake,
  cpp: async () => (await cppGrammars()).cpp,
  'cpp-macro': async () => (await cppGrammars()).cppMacro,
  csharp: async () => (await import('@shikijs/langs/csharp')).default,
  css: async () => (await pageGrammars()).css,
  dart: async () => (await jvmGrammars()).dart,
  diff: async () => (await configGrammars()).diff,
  docker: async () => (await configGrammars()).docker,
  elixir: async () => (await functionalGrammars()).elixir,
  erlang: async () => (await functionalGrammars()).erlang,
  fsharp: async () => (await functionalGrammars()).fsharp,
  glsl: async () => (await cppGrammars()).glsl,
  go: async () => (await systemGrammars()).go,
  graphql: async () => (await frameworkGrammars()).graphql,
  groovy: async () => (await jvmGrammars()).groovy,
  haskell: async () => (await functionalGrammars()).haskell,
  hcl: async () => (await configGrammars()).hcl,
  html: async () => (await pageGrammars()).html,
  'html-derivative': async () => (await frameworkGrammars()).htmlDerivative,
  ini: async () => (await configGrammars()).ini,
  java: async () => (await jvmGrammars()).java,
  javascript: async () => (await import('@shikijs/langs/javascript')).default,
  json: async () => (await configGrammars()).json,
  jsonc: async () => (await configGrammars()).jsonc,
  jsonl: async () => (await configGrammars()).jsonl,
  julia: async () => (await numericGrammars()).julia,
  kotlin: async () => (await jvmGrammars()).kotlin,
  latex: async () => (await numericGrammars()).latex,
  lua: async () => (await configGrammars()).lua,
  make: async () => (await configGrammars()).make,
  markdown: async () => (await import('@shikijs/langs/markdown')).default,
  'markdown-vue': async () => (await frameworkGrammars()).markdownVue,
  matlab: async () => (await numericGrammars()).matlab,
  nginx: async () => (await configGrammars()).nginx,
  'objective-c': async () => (await import('@shikijs/langs/objective-c')).default,
  ocaml: async () => (await import('@shikijs/langs/ocaml')).default,
  perl: async () => (await scriptGrammars()).perl,
  php: async () => (await import('@shikijs/langs/php')).default,
  postcss: async () => (await frameworkGrammars()).postcss,
  powershell: async () => (await shellGrammars()).powershell,
  proto: async () => (await configGrammars()).proto,
  python: async () => (await import('@shikijs/langs/python')).default,
  r: async () => (await numericGrammars()).r,
  regexp: async () => (await configGrammars()).regexp,
  ruby: async () => (await scriptGrammars()).ruby,
  rust: async () => (await systemGrammars()).rust,
  scala: async () => (await jvmGrammars()).scala,
  scss: async () => (await pageGrammars()).scss,
  shellscript: async () => (await shellGrammars()).shellscript,
  shellsession: async () => (await shellGrammars()).shellsession,
  sql: async () => (await scriptGrammars()).sql,
  svelte: async () => (await frameworkGrammars()).svelte,
  swift: async () => (await import('@shikijs/langs/swift')).default,
  tex: async () => (await numericGrammars()).tex,
  toml: async () => (await configGrammars()).toml,
  tsx: async () => (await import('@shikijs/langs/tsx')).default,
  typescript: async () => (await import('@shikijs/langs/typescript')).default,
  vb: async () => (await systemGrammars()).vb,
  vue: async () => (await frameworkGrammars()).vue,
  'vue-directives': async () => (await frameworkGrammars()).vueDirectives,
  'vue-interpolations': async () => (await frameworkGrammars()).vueInterpolations,
  'vue-sfc-style-variable-injection': async () => (await frameworkGrammars()).vueSfcStyleVariableInjection,
  xml: async () => (await configGrammars()).xml,
  yaml: async () => (await configGrammars()).yaml,
  zig: async () => (await systemGrammars()).zig,
};
