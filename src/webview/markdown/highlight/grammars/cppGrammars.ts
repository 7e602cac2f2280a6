/** C++, by far the largest grammar, and what only it needs. */
export { default as cpp } from '@shikijs/langs/cpp';
export { default as cppMacro } from '@shikijs/langs/cpp-macro';
export { default as glsl } from '@shikijs/langs/glsl';
