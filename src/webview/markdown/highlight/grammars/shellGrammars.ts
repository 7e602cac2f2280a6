/** Shell languages. */
export { default as bat } from '@shikijs/langs/bat';
export { default as powershell } from '@shikijs/langs/powershell';
export { default as shellscript } from '@shikijs/langs/shellscript';
export { default as shellsession } from '@shikijs/langs/shellsession';
