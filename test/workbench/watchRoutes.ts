import type { BrowserContext } from 'playwright-core';

/** Through which of VS Code's routes, or which gesture on a page of Parlance, something was requested. */
export type Route = 'menu' | 'palette' | 'keyboard' | 'drop' | 'paste';

/** Reports each route that is used in the pages of this context, including frames. Call it before a page opens. */
export async function watchRoutes(context: BrowserContext, took: (route: Route) => void): Promise<void> {
  await context.exposeBinding('parlanceTestTook', (_, route: Route) => took(route));
  await context.addInitScript(() => {
    const tell = (route: Route): void => void Object(globalThis).parlanceTestTook?.(route);
    const isIn = (event: Event, selector: string): Element | undefined =>
      event.composedPath().find((each): each is Element => each instanceof Element && each.matches(selector));
    const isOurPage = (): boolean => document.querySelector('[id^="parlance-"]') !== null;
    const chose = (event: Event): void => {
      if (isIn(event, '.monaco-menu')) tell('menu');
      const box = isIn(event, '.quick-input-widget')?.querySelector<HTMLInputElement>('input.input');
      if (box?.value.startsWith('>') === true) tell('palette');
    };
    const pressed = (event: KeyboardEvent): void => {
      if (event.key === 'Enter') chose(event);
      // Not what a test's script sends.
      if (event.isTrusted && /^(Enter|Escape|Delete| )$/.test(event.key) && isOurPage()) tell('keyboard');
    };
    const listen = (): void => {
      addEventListener('mouseup', chose, true);
      addEventListener('keydown', pressed, true);
      addEventListener('drop', () => isOurPage() && tell('drop'), true);
      addEventListener('paste', () => isOurPage() && tell('paste'), true);
    };
    listen();
    // VS Code writes a webview's page into an existing frame, which removes all listeners.
    const close: () => void = Object(Document.prototype).close;
    Document.prototype.close = function closeAndListen() {
      close.call(this);
      listen();
    };
  });
}
