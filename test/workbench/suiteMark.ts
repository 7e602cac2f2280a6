/** Starts each piece of the suite's report on the extension host's console, where VS Code writes too. */
export const suiteMark = '▏';
