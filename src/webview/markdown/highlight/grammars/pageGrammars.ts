/** Languages of web pages, without those that run in them. */
export { default as css } from '@shikijs/langs/css';
export { default as html } from '@shikijs/langs/html';
export { default as scss } from '@shikijs/langs/scss';
