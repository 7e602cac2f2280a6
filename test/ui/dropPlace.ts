import type { Frame, Locator } from 'playwright-core';

/** A page with a message box that files can be dropped on. */
export interface DropPlace {
  readonly frame: Frame;
  /** The part of VS Code that the page is in. */
  readonly area: Locator;
}
