/** Characters that reorder text and so make it read as something else. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g;
/** Text without any of these stays as it is, and nearly all of it does. */
const special = /\$\(|\]\(|[\r\n\v\f\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/**
 * Untrusted text as a label or a notification of VS Code, on one line: `$(name)` in it must not turn into an icon, nor
 * `[name](command:…)` into a link that runs a command. Applying it twice changes nothing.
 */
export function plainLabel(text: string): string {
  if (!special.test(text)) return text;
  return plainLines(text).replace(/\s*[\r\n\v\f\u0085\u2028\u2029]+\s*/g, ' ');
}

/** Like `plainLabel`, for places with several lines: the detail of a dialog, a tooltip. */
export function plainLines(text: string): string {
  return text.replaceAll('$(', '$\u200B(').replaceAll('](', ']\u200B(').replaceAll(directions, '');
}

/**
 * Untrusted text for places that might render it as Markdown or show it literally, for example an error for another
 * extension. It reads the same either way, and nothing in it turns into a link, an image, or HTML.
 */
export function plainEitherWay(text: string): string {
  return plainLabel(text)
    .replaceAll(']:', ']\u200B:')
    .replaceAll('][', ']\u200B[')
    .replaceAll('://', ':\u200B//')
    .replaceAll(/www\./gi, (start) => `${start.slice(0, -1)}\u200B.`)
    .replaceAll(/<(?=[a-z/!?])/gi, '<\u200B');
}
