/**
 * Moves the focus to another element if the one that had it is gone or hidden, so that users don't have to start again
 * at the top.
 */
export function keepFocus(focused: Element | null, goOn: () => void): void {
  if (focused === null || focused === document.body) return;
  const active = document.activeElement;
  if (active === null || active === document.body || !active.checkVisibility()) goOn();
}
