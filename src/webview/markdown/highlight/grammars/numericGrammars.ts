/** Languages for mathematics and statistics. */
export { default as julia } from '@shikijs/langs/julia';
export { default as latex } from '@shikijs/langs/latex';
export { default as matlab } from '@shikijs/langs/matlab';
export { default as r } from '@shikijs/langs/r';
export { default as tex } from '@shikijs/langs/tex';
