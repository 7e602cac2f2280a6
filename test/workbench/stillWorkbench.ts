import type { BrowserContext } from 'playwright-core';

/** What VS Code waits for or draws on the way to a test's subject. */
export const stillSettings = {
  'workbench.reduceMotion': 'on',
  // The focus reaches a webview through messages. On a busy machine, a chat that asked for it, or that gets it back after
  // the palette, has it only once the next list is open. VS Code would close that.
  'workbench.quickOpen.closeOnFocusLost': false,
  // Tips would cover what is clicked next.
  'workbench.hover.delay': 10_000,
  'editor.hover.delay': 0,
  'editor.cursorBlinking': 'solid',
  // On in a browser, off on the desktop. Each save begins a new undo step, after a second of a slow test.
  'files.autoSave': 'off',
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  // Searches every process on the machine for ports, every few seconds.
  'remote.autoForwardPorts': false,
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
};

/** Without the developer's proxy, which would get what tests send, and without colors in what they read. */
export const stillEnv: Readonly<Record<string, undefined>> = Object.fromEntries(
  ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'FORCE_COLOR']
    .flatMap((name) => [name, name.toLowerCase()])
    .map((name) => [name, undefined]),
);

/** VS Code's own extensions that start processes or take a long time to load, and that Parlance doesn't use. */
export const heavyExtensions = [
  ...['copilot', 'debug-auto-launch', 'debug-server-ready', 'emmet', 'extension-editing', 'github'],
  ...['github-authentication', 'grunt', 'gulp', 'ipynb', 'jake', 'merge-conflict', 'microsoft-authentication'],
  ...['ms-vscode.js-debug', 'ms-vscode.js-debug-companion', 'ms-vscode.vscode-js-profile-table', 'npm'],
  ...['notebook-renderers', 'php-language-features', 'references-view', 'simple-browser', 'terminal-suggest'],
  ...['tunnel-forwarding', 'typescript-language-features', 'css-language-features', 'html-language-features'],
];

/**
 * Stops what VS Code animates in spite of `workbench.reduceMotion`: progress bars, spinners, fading scroll bars.
 * Without a graphics card the processor draws each of their frames, a fifth of a test file's time. Parlance's own pages
 * keep their motion, because tests check it.
 */
export async function stopAnimations(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (window !== window.top) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important; }');
    document.adoptedStyleSheets.push(sheet);
  });
}
