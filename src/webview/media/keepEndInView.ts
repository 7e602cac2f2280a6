/**
 * Keeps the end of a text field in view while nobody types in it: in a model's ID, the provider comes first, but
 * the model matters more.
 * @returns call it after replacing the text.
 */
export function keepEndInView(field: HTMLInputElement): () => void {
  const fit = () => {
    if (field !== document.activeElement) field.scrollLeft = field.scrollWidth;
  };
  // The browser itself shows the start after this event.
  field.addEventListener('blur', () => requestAnimationFrame(fit));
  new ResizeObserver(fit).observe(field);
  return fit;
}
