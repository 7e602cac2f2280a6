/** Longest text that a page may send, in UTF-16 units. */
export const maxTextLength = 4 * 1024 * 1024;
/** Longest address that a page may ask to open. */
export const maxLinkLength = 8192;
/** Longest language of a code block that a page may name. */
export const maxLanguageLength = 64;
