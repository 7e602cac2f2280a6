/** What every page says if it can't go on. */
export const silenceWords = "Parlance isn't responding. Reload the window; nothing is lost.";
