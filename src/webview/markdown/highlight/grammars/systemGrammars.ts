/** Systems programming languages. */
export { default as go } from '@shikijs/langs/go';
export { default as rust } from '@shikijs/langs/rust';
export { default as vb } from '@shikijs/langs/vb';
export { default as zig } from '@shikijs/langs/zig';
