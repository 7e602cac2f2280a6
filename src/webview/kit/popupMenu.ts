import { element } from './element.ts';

/** An item of the menu. */
export interface MenuRow {
  readonly label: string;
  /** A fact about it, dimmed at the end. */
  readonly detail?: string;
  readonly run: () => void;
}

// Distance from the button to the menu, and from the menu to the edge of the page.
const GAP = 4;

/**
 * Opens a menu at a button. Arrow keys move in it, Enter and a click select, and Escape, Tab, a click elsewhere, and
 * scrolling close it. The focus returns to the button, unless the selected item moved it.
 * @param groups separated by lines
 */
export function openMenu(button: HTMLElement, name: string, groups: readonly (readonly MenuRow[])[]): void {
  const items: HTMLElement[] = [];
  const menu = element('div', { class: 'popup-menu', role: 'menu', 'aria-label': name });
  const leaving = new AbortController();
  const close = (): void => {
    if (leaving.signal.aborted) return;
    leaving.abort();
    const hadFocus = menu.contains(document.activeElement);
    menu.remove();
    button.removeAttribute('aria-expanded');
    if (hadFocus) button.focus();
  };
  for (const rows of groups.filter(({ length }) => length > 0)) {
    if (items.length > 0) menu.append(element('div', { class: 'popup-line', role: 'separator' }));
    for (const row of rows) {
      const item = drawRow(row, () => {
        close();
        row.run();
      });
      items.push(item);
      menu.append(item);
    }
  }
  const move = (index: number): void => items.at(index % items.length)?.focus();
  menu.addEventListener('keydown', (event) => {
    const at = items.findIndex((item) => item === document.activeElement);
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(-1);
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.body.append(menu);
  place(menu, button);
  button.setAttribute('aria-expanded', 'true');
  move(0);
  const { signal } = leaving;
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) close();
  });
  window.addEventListener('resize', close, { signal });
  // The event of a scroll that brought the button into view fires one frame late.
  const { top } = button.getBoundingClientRect();
  const closeIfMoved = (): void => {
    if (button.getBoundingClientRect().top !== top) close();
  };
  document.addEventListener('scroll', closeIfMoved, { signal, capture: true });
}

function drawRow({ label, detail = '' }: MenuRow, choose: () => void): HTMLElement {
  const name = detail === '' ? label : `${label}, ${detail}`;
  const item = element(
    'button',
    { type: 'button', class: 'popup-row', role: 'menuitem', tabindex: '-1', title: label, 'aria-label': name },
    element('span', { class: 'popup-label' }, label),
    ...(detail === '' ? [] : [element('span', { class: 'popup-detail' }, detail)]),
  );
  item.addEventListener('click', choose);
  item.addEventListener('mousemove', () => item.focus());
  return item;
}

/** Below the button if there's room, otherwise above, with their ends aligned, within the page. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const below = bottom + GAP;
  const above = top - GAP - height;
  const lowest = Math.max(GAP, window.innerHeight - GAP - height);
  menu.style.top = `${above < GAP ? Math.min(below, lowest) : below <= lowest ? below : above}px`;
  menu.style.left = `${Math.max(GAP, Math.min(right, window.innerWidth - GAP) - width)}px`;
}
