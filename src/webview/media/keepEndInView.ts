/**
 * Keeps the end of a text field in view while nobody types in it: of a model's ID, the service comes first, but the
 * model matters more.
 * @returns for when the text was replaced.
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
