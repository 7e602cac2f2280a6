import { findText } from '../../../shared/text/findText.ts';

/** Elements that aren't part of the message: buttons, and the sources of formulas for copying. */
const LEFT_OUT = 'button, .md-code-header, .md-table-actions, .md-formula-source, .md-status, [hidden]';
/** Text continues across these: they don't divide words. */
const INLINE = 'a, b, code:not(pre > code), del, em, span, strong';

/** Where a text is inside an element on the page, as far as it's rendered. */
export function textRanges(root: Element, query: string): Range[] {
  const nodes: { readonly node: Text; readonly start: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element && node.matches(LEFT_OUT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text) {
      nodes.push({ node, start: text.length });
      text += node.data;
    } else if (node instanceof Element && !node.matches(INLINE)) text += '\n';
  }
  return findText(text, query).flatMap(({ start, end }) => {
    const range = document.createRange();
    const first = nodes.findLast((each) => each.start <= start);
    const last = nodes.findLast((each) => each.start < end);
    if (first === undefined || last === undefined) return [];
    range.setStart(first.node, Math.min(start - first.start, first.node.length));
    range.setEnd(last.node, Math.min(end - last.start, last.node.length));
    return [range];
  });
}
