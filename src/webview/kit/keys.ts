/**
 * True for a key that belongs to an input method. Safari ends the composition before it sends the key that ended it,
 * and only the key code 229 reveals that.
 */
export function isImeKey(event: KeyboardEvent): boolean {
  // oxlint-disable-next-line no-restricted-properties -- the one place
  return event.isComposing || event.keyCode === 229;
}

/** True on a Mac, where Cmd is used instead of Ctrl. */
export function isMac(): boolean {
  return navigator.platform.startsWith('Mac');
}

/** Ctrl+F, or Cmd+F on a Mac, where Ctrl+F moves the cursor. */
export function isFindKey(event: KeyboardEvent): boolean {
  const isHeld = isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey;
  return isHeld && event.key.toLowerCase() === 'f' && !event.shiftKey && !event.altKey && !isImeKey(event);
}

/**
 * A key that is held presses a button once. Otherwise Enter presses it again many times a second, and each press might
 * be a request, or might reach another button that has the focus by then.
 */
export function ignoreHeldEnter(): void {
  document.addEventListener('keydown', ignoreIfHeld, true);
}

function ignoreIfHeld(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement) event.preventDefault();
}
