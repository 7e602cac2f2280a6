/** The included grammars, each with its names on code fences. */
const NAMES = `
bat batch cmd
c h
clojure clj
cmake
csharp cs c#
css
dart
diff patch
docker dockerfile containerfile
elixir ex exs
erlang erl
fsharp fs f#
go golang
graphql gql
groovy gradle
haskell hs
hcl terraform tf
html htm xhtml
ini properties cfg conf
java
javascript js jsx mjs cjs node
json
jsonc json5
jsonl ndjson
julia jl
kotlin kt kts
latex tex
lua
make makefile mk
markdown md mdx
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
scss less
shellscript sh bash zsh shell
shellsession console terminal
sql mysql postgresql postgres sqlite plsql tsql
svelte
swift
toml
tsx
typescript ts mts cts
vb vbnet
vue
xml svg xsd xslt
yaml yml
zig
cpp c++ cc cxx hpp hxx h++ cuda
`;

let byName: Map<string, string> | undefined;

/** The grammar for a language as models write it after a fence, ignoring case; undefined if unknown. */
export function grammarName(language: string): string | undefined {
  byName ??= readNames();
  return byName.get(language.toLowerCase());
}

function readNames(): Map<string, string> {
  const names = new Map<string, string>();
  for (const line of NAMES.trim().split('\n')) {
    const [grammar = '', ...aliases] = line.split(' ');
    for (const name of [grammar, ...aliases]) names.set(name, grammar);
  }
  return names;
}
