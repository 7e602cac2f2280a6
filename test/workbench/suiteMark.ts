/** Begins each piece of the suite's report on the extension host's console, where VS Code speaks as well. */
export const suiteMark = '▏';
