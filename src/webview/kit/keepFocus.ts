/** Moves the focus on where the element that had it is gone or hidden: a person must not start again at the top. */
export function keepFocus(focused: Element | null, goOn: () => void): void {
  if (focused === null || focused === document.body) return;
  const active = document.activeElement;
  if (active === null || active === document.body || !active.checkVisibility()) goOn();
}
