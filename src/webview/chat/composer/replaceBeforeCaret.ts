/** Replaces the text from the last such sign before the caret up to the caret, and tells of it as if it was typed. */
export function replaceBeforeCaret(box: HTMLTextAreaElement, sign: string, words: string): void {
  const { selectionStart: caret, value } = box;
  const start = value.slice(0, caret).lastIndexOf(sign);
  if (start >= 0) {
    box.setSelectionRange(start, caret);
    // The one way that keeps the text's undo.
    if (!document.execCommand('insertText', false, words)) box.setRangeText(words, start, caret, 'end');
  }
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
