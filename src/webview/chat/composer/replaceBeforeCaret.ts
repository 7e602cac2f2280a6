/**
 * Replaces the text from the last such character before the cursor up to the cursor, and fires an input event as if it
 * had been typed.
 */
export function replaceBeforeCaret(box: HTMLTextAreaElement, sign: string, words: string): void {
  const { selectionStart: caret, value } = box;
  const start = value.slice(0, caret).lastIndexOf(sign);
  if (start >= 0) {
    box.setSelectionRange(start, caret);
    // The only way that keeps the text's undo history.
    if (!document.execCommand('insertText', false, words)) box.setRangeText(words, start, caret, 'end');
  }
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
