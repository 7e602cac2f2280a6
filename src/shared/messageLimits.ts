/** Longest text that a page may send, in UTF-16 units. */
export const maxTextLength = 4 * 1024 * 1024;
/** Longest address that a page may ask to open. */
export const maxLinkLength = 8192;
/** Longest language of a code block that a page may name. */
export const maxLanguageLength = 64;
/** Longest text that can be looked for in a conversation. */
export const maxQueryLength = 1000;
/** Most things that can go with one message. */
export const maxAttachments = 30;
/** Largest picture that is sent, in bytes. */
export const maxPictureBytes = 8 * 1024 * 1024;
/** Largest picture that is taken to be scaled down, in bytes. */
export const maxPictureSourceBytes = 40 * 1024 * 1024;
/** Longest text of one thing that is added, in UTF-16 units. */
export const maxContextLength = 1_000_000;
