/** Languages of the Java virtual machine, and related ones. */
export { default as dart } from '@shikijs/langs/dart';
export { default as groovy } from '@shikijs/langs/groovy';
export { default as java } from '@shikijs/langs/java';
export { default as kotlin } from '@shikijs/langs/kotlin';
export { default as scala } from '@shikijs/langs/scala';
