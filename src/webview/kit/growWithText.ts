/**
 * Lets a textarea grow with its text where the browser has no `field-sizing`. CSS sets the limit.
 * @returns a function to call when the text was set by the page itself.
 */
export function growWithText(box: HTMLTextAreaElement): () => void {
  if (CSS.supports('field-sizing', 'content')) return () => undefined;
  const fit = (): void => {
    box.style.height = 'auto';
    box.style.height = `${box.scrollHeight}px`;
  };
  box.addEventListener('input', fit);
  fit();
  return fit;
}
