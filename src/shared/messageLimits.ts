/** Maximum length of a text that a page can send, in UTF-16 units. */
export const maxTextLength = 4 * 1024 * 1024;
/** Maximum length of a URL that a page can ask to open. */
export const maxLinkLength = 8192;
/** Maximum length of a code block's language that a page can name. */
export const maxLanguageLength = 64;
/** Maximum length of a search text in a conversation. */
export const maxQueryLength = 1000;
/** Maximum number of attachments of one message. */
export const maxAttachments = 30;
/** Maximum size of an image that is sent, in bytes. */
export const maxPictureBytes = 8 * 1024 * 1024;
/** Maximum size of an image that is accepted for scaling down, in bytes. */
export const maxPictureSourceBytes = 40 * 1024 * 1024;
/** Maximum length of the text of one attachment, in UTF-16 units. */
export const maxContextLength = 1_000_000;
