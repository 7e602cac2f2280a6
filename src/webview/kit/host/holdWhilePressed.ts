/** What a user presses with a pointer. */
const pressable = 'a, button, input, label, summary, [role=option]';
/** A longer press is a drag, or one whose end the page doesn't learn of. */
const LONGEST_MS = 1000;

/**
 * Delays what the host sends while the user presses a button. A message can move the button, and a browser ignores a
 * press that doesn't end where it began: a click on "Generate" as the price of the model appears would do nothing.
 * @returns where messages are given in, all of which `take` receives, in order.
 */
export function holdWhilePressed<Message>(take: (message: Message) => void): (message: Message) => void {
  const held: Message[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPressed = false;
  const release = (): void => {
    clearTimeout(timer);
    isPressed = false;
    for (const message of held.splice(0)) take(message);
  };
  // Captured, because a list can stop an event.
  const options = { capture: true, passive: true };
  const began = ({ target }: Event): void => {
    if (!(target instanceof Element) || target.closest(pressable) === null) return;
    isPressed = true;
    clearTimeout(timer);
    timer = setTimeout(release, LONGEST_MS);
  };
  const ended = (): void => {
    if (!isPressed) return;
    isPressed = false;
    clearTimeout(timer);
    // The click comes first: the browser makes it of the same event.
    timer = setTimeout(release);
  };
  window.addEventListener('pointerdown', began, options);
  window.addEventListener('pointerup', ended, options);
  window.addEventListener('pointercancel', ended, options);
  return (message) => {
    if (isPressed) return void held.push(message);
    if (held.length > 0) release();
    take(message);
  };
}
