import type { BrowserContext } from 'playwright-core';

/** By which of VS Code's ways something was chosen. */
type Route = 'menu' | 'palette';

/** Tells of each route that is taken in the pages of this context. To be called before a page opens. */
export async function watchRoutes(context: BrowserContext, took: (route: Route) => void): Promise<void> {
  await context.exposeBinding('parlanceTestTook', (_, route: Route) => took(route));
  await context.addInitScript(() => {
    const tell = (route: Route): void => void Object(globalThis).parlanceTestTook?.(route);
    const isIn = (event: Event, selector: string): Element | undefined =>
      event.composedPath().find((each): each is Element => each instanceof Element && each.matches(selector));
    const chose = (event: Event): void => {
      if (isIn(event, '.monaco-menu')) tell('menu');
      const box = isIn(event, '.quick-input-widget')?.querySelector<HTMLInputElement>('input.input');
      if (box?.value.startsWith('>') === true) tell('palette');
    };
    addEventListener('mouseup', chose, true);
    addEventListener('keydown', (event) => event.key === 'Enter' && chose(event), true);
  });
}
