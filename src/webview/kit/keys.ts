/**
 * True for a key that belongs to an input method. Safari ends the composition before it sends the
 * key that ended it; the key code 229 is what is left to tell.
 */
export function isImeKey(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
