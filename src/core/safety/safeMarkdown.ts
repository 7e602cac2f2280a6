/** Characters that reorder text and so make it read as something else. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A model's Markdown for VS Code, which loads images and also opens links to files and to other programs: no images,
 * and only links to http, https, and mailto. Everything else reads the same, in code too.
 */
export function safeMarkdown(text: string): string {
  return text
    .replaceAll('![', '!\u200B[')
    .replaceAll(/\](?=\((?!<?(?:https?:\/\/|mailto:)))/gi, ']\u200B')
    .replaceAll(/\](?=:(?![ \t]*<?(?:https?:\/\/|mailto:)))/gi, ']\u200B')
    .replaceAll(/<(?=[a-z][a-z\d+.-]*:)(?!https?:\/\/|mailto:)/gi, '<\u200B')
    .replaceAll(/ftp:(?=\/\/)/gi, (scheme) => `${scheme}\u200B`)
    .replace(directions, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}
