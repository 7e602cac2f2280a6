import type { Frame, Locator, Page } from 'playwright-core';
import { clickUntil, type Attempt } from './clickUntil.ts';
import { longestAttemptMs } from './tryUntil.ts';

/**
 * A row of VS Code's own trees and lists. It can't be clicked like anything else, and the compiler says so: VS Code loses
 * clicks on rows that move ({@link clickUntil}). Use {@link clickRow}, {@link expandRow}, or a driver.
 */
export type Row = {
  readonly click: never;
  readonly dblclick: never;
  first(): Row;
  last(): Row;
  nth(index: number): Row;
  and(other: Locator): Row;
} & Locator;

/** A row of a tree, by its screen reader text. */
export function treeRow(place: Page | Frame | Locator, words: string | RegExp): Row {
  return place.getByRole('treeitem', { name: words }) as Row;
}

/** A row of a list that VS Code opens at the top of the window. */
export function listRow(list: Locator, words: string | RegExp): Row {
  return list.getByRole('option', { name: words }) as Row;
}

/**
 * Clicks a row, again if the click was lost.
 * @param taken what it opens
 */
export function clickRow<Taken>(
  row: Row,
  what: string,
  taken: () => Promise<Taken | false | undefined>,
): Promise<Taken> {
  return clickUntil(what, (tryClick) => tryClick(row), taken);
}

/** Expands or collapses a row, with a click on what does that: the whole row, or its arrow. */
export async function expandRow(row: Row, isExpanded: boolean, arrow: Locator = row): Promise<void> {
  await becomes(row, 'aria-expanded', isExpanded, (tryClick) => tryClick(arrow));
}

/** Selects a row beside those that are selected, or takes it out of the selection. */
export async function selectRow(row: Row, isSelected: boolean): Promise<void> {
  await becomes(row, 'aria-selected', isSelected, (tryClick) => tryClick(row, { modifiers: ['ControlOrMeta'] }));
}

/** Another click would undo the first one, so none is made once it has worked, however late that was. */
async function becomes(
  row: Row,
  state: 'aria-expanded' | 'aria-selected',
  wanted: boolean,
  attempt: Attempt<boolean>,
): Promise<void> {
  const isSo = async (limitMs: number): Promise<boolean> =>
    (await row.getAttribute(state, { timeout: limitMs })) === String(wanted);
  await clickUntil(
    `a row with ${state}=${wanted}`,
    async (tryClick, limitMs) => (await isSo(limitMs)) || attempt(tryClick, limitMs),
    () => isSo(longestAttemptMs),
  );
}
