/** Functional languages. */
export { default as clojure } from '@shikijs/langs/clojure';
export { default as elixir } from '@shikijs/langs/elixir';
export { default as erlang } from '@shikijs/langs/erlang';
export { default as fsharp } from '@shikijs/langs/fsharp';
export { default as haskell } from '@shikijs/langs/haskell';
