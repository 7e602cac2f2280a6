/** Turns text that is read from right to left into text that reads as something else. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Words from elsewhere as a label or a notification of VS Code, on one line: `$(name)` in them must not turn into an
 * icon, nor `[name](command:…)` into a link that runs a command. Doing it twice changes nothing.
 */
export function plainLabel(text: string): string {
  return plainLines(text).replace(/\s*[\r\n\v\f\u0085\u2028\u2029]+\s*/g, ' ');
}

/** As `plainLabel`, where several lines are shown as such: the detail of a dialog, a tooltip. */
export function plainLines(text: string): string {
  return text.replaceAll('$(', '$\u200B(').replaceAll('](', ']\u200B(').replaceAll(directions, '');
}

/**
 * Words from elsewhere for whoever may draw them as Markdown or as they are, such as an error that another extension is
 * given: they read the same either way, and no address in them turns into a link, a picture or HTML.
 */
export function plainEitherWay(text: string): string {
  return plainLabel(text)
    .replaceAll(']:', ']\u200B:')
    .replaceAll('][', ']\u200B[')
    .replaceAll('://', ':\u200B//')
    .replaceAll(/www\./gi, (start) => `${start.slice(0, -1)}\u200B.`)
    .replaceAll(/<(?=[a-z/!?])/gi, '<\u200B');
}
