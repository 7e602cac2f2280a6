/** A message is the second level of the page. */
const messageLevel = 2;

/**
 * Has no heading more than one level below that before it, as those who walk a text by its headings expect: a model
 * that begins with its third level skips two. What is seen stays as the model wrote it.
 */
export function evenHeadings(root: ParentNode): void {
  /** Levels as written, of the headings that this one is under. */
  let above: readonly number[] = [];
  for (const heading of root.querySelectorAll('.md-heading')) {
    const own = Number(heading.localName.slice(1));
    const written = Number(heading.getAttribute('aria-level') ?? own);
    above = [...above.filter((level) => level < written), written];
    const level = messageLevel + above.length;
    if (level !== written) heading.setAttribute('aria-level', String(level));
  }
}
