/**
 * The names of languages on code fences and as file extensions, a line for each grammar that's included, which comes
 * first. VS Code's ID for a name comes after `=`; it's the grammar's if there's none. A line with `-` has no grammar.
 */
const LINES = `
bat batch cmd
c h=cpp
clojure clj
cmake
csharp cs c#
css
dart
diff patch
docker=dockerfile dockerfile=dockerfile containerfile=dockerfile
elixir ex exs
erlang erl
fsharp fs f#
go golang
graphql gql
groovy gradle
haskell hs
hcl terraform=terraform tf=terraform
html htm xhtml
ini properties=properties cfg=properties conf=properties
java
javascript js jsx=javascriptreact mjs cjs node
json
jsonc json5=json5
jsonl ndjson
julia jl
kotlin kt kts
latex tex
lua
make=makefile makefile=makefile mk=makefile
markdown md mdx=mdx
matlab
nginx
objective-c objc objectivec
ocaml ml
perl pl
php
powershell ps1 ps pwsh
proto protobuf
python py python3 py3
r
regexp regex
ruby rb
rust rs
scala
scss less=less
shellscript sh bash zsh shell
shellsession console terminal
sql mysql postgresql postgres sqlite plsql tsql
svelte
swift
toml
tsx=typescriptreact
typescript ts mts cts
vb vbnet
vue
xml svg xsd xslt
yaml yml
zig
cpp c++ cc cxx hpp hxx h++ cuda=cuda-cpp
- txt=plaintext
`;

interface Named {
  /** Undefined if there's none for it. */
  readonly grammar: string | undefined;
  readonly id: string;
}

let byName: ReadonlyMap<string, Named> | undefined;

/** The grammar for a language as models write it after a fence, ignoring case; undefined if unknown. */
export function grammarName(language: string): string | undefined {
  return named(language)?.grammar;
}

/** VS Code's language ID for a fence's language or a file extension, ignoring case; the name itself if it's unknown. */
export function languageId(name: string): string {
  return named(name)?.id ?? name.toLowerCase();
}

function named(name: string): Named | undefined {
  byName ??= new Map(LINES.trim().split('\n').flatMap(readLine));
  return byName.get(name.toLowerCase());
}

function readLine(line: string): readonly (readonly [string, Named])[] {
  const words = line.split(' ').map((word) => word.split('='));
  const first = words[0]?.[0] ?? '';
  const grammar = first === '-' ? undefined : first;
  return words.flatMap(([name = '', id = first]) => (name === '-' ? [] : [[name, { grammar, id }] as const]));
}
