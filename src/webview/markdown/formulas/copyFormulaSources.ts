const COPYING = 'md-copying';

/**
 * Copies the LaTeX of the formulas in a selection, with the text around it, because MathML as text is just a row of
 * letters.
 */
export function copyFormulaSources(event: ClipboardEvent): void {
  const selection = document.getSelection();
  if (event.defaultPrevented || event.clipboardData === null || selection === null || selection.isCollapsed) return;
  const formulas = [...document.querySelectorAll('.md-formula')].filter((each) => selection.containsNode(each, true));
  if (formulas.length === 0) return;

  const selected = selection.getRangeAt(0);
  const whole = selected.cloneRange();
  const first = formulas.find((each) => each.contains(selected.startContainer));
  const last = formulas.find((each) => each.contains(selected.endContainer));
  if (first !== undefined) whole.setStartBefore(first);
  if (last !== undefined) whole.setEndAfter(last);
  // Only a browser knows where the lines of a selection end, so the page shows the sources while copying.
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  document.body.classList.add(COPYING);
  selection.removeAllRanges();
  selection.addRange(whole);
  event.clipboardData.setData('text/plain', selection.toString());
  document.body.classList.remove(COPYING);
  if (anchorNode !== null && focusNode !== null)
    selection.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
  event.clipboardData.setData('text/html', richText(whole));
  event.preventDefault();
}

function richText(range: Range): string {
  const box = document.createElement('div');
  box.append(range.cloneContents());
  for (const formula of box.querySelectorAll('.md-formula'))
    formula.replaceWith(formula.querySelector('.md-formula-source')?.textContent ?? formula.textContent);
  return box.innerHTML;
}
