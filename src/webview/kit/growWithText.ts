/**
 * Lets a textarea grow with its text in browsers without `field-sizing`. CSS sets the limit.
 * @returns a function to call when the page itself has set the text.
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
