/** Languages with several embedded ones. */
export { default as graphql } from '@shikijs/langs/graphql';
export { default as htmlDerivative } from '@shikijs/langs/html-derivative';
export { default as markdownVue } from '@shikijs/langs/markdown-vue';
export { default as postcss } from '@shikijs/langs/postcss';
export { default as svelte } from '@shikijs/langs/svelte';
export { default as vue } from '@shikijs/langs/vue';
export { default as vueDirectives } from '@shikijs/langs/vue-directives';
export { default as vueInterpolations } from '@shikijs/langs/vue-interpolations';
export { default as vueSfcStyleVariableInjection } from '@shikijs/langs/vue-sfc-style-variable-injection';
