/** Scripting and query languages. */
export { default as perl } from '@shikijs/langs/perl';
export { default as ruby } from '@shikijs/langs/ruby';
export { default as sql } from '@shikijs/langs/sql';
