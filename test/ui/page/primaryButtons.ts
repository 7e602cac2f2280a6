import type { Page } from 'playwright-core';

/** Names of the visible buttons that are drawn as the one to press next. */
export function primaryButtons(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const color = (value: string): string => {
      const probe = document.createElement('i');
      probe.style.color = value;
      document.body.append(probe);
      const computed = getComputedStyle(probe).color;
      probe.remove();
      return computed;
    };
    const primary = color('var(--vscode-button-background)');
    return [...document.querySelectorAll('button')]
      .filter((button) => button.checkVisibility() && getComputedStyle(button).backgroundColor === primary)
      .map((button) => button.getAttribute('aria-label') ?? button.textContent);
  });
}
