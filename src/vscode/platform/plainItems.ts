import type * as vscode from 'vscode';
import { plainLabel, plainLines } from './plainLabel.ts';

/** A row of a list. Its icon is separate from its text, which anyone might have written. */
export interface ShownItem extends vscode.QuickPickItem {
  /** One of VS Code's icons, before the label. */
  readonly icon?: string;
}

/** Rows for VS Code, and the way back to the original ones. */
export class PlainItems<T extends ShownItem> {
  readonly #shown = new WeakMap<T, T>();
  readonly #given = new WeakMap<T, T>();

  shown(item: T): T {
    const known = this.#shown.get(item);
    if (known !== undefined) return known;
    const shown = plainItem(item);
    this.#shown.set(item, shown);
    this.#given.set(shown, item);
    return shown;
  }

  given(item: T): T {
    return this.#given.get(item) ?? item;
  }
}

function plainItem<T extends ShownItem>(item: T): T {
  const { icon, label, description, detail, buttons } = item;
  return {
    ...item,
    label: icon === undefined ? plainLabel(label) : `$(${icon}) ${plainLabel(label)}`,
    ...(description !== undefined && { description: plainLabel(description) }),
    ...(detail !== undefined && { detail: plainLabel(detail) }),
    ...(buttons !== undefined && { buttons }),
  };
}

/** A row of a tree, whose text is shown literally, without icons or links. */
export function plainTreeItem<T extends vscode.TreeItem>(item: T): T {
  const { label, description, tooltip } = item;
  if (typeof label === 'string') item.label = plainLabel(label);
  else if (label !== undefined) item.label = { ...label, label: plainLabel(label.label) };
  if (typeof description === 'string') item.description = plainLabel(description);
  if (typeof tooltip === 'string') item.tooltip = plainLines(tooltip);
  return item;
}

const words = new Set(['title', 'placeholder', 'prompt']);
const lists = new Set(['items', 'activeItems', 'selectedItems']);
const listEvents = new Set(['onDidChangeActive', 'onDidChangeSelection']);

/** A VS Code input box that shows text literally. Its rows are the original ones. */
export function plainInput<Input extends object>(input: Input): Input {
  const items = new PlainItems<ShownItem>();
  return new Proxy(input, {
    set(target, name, value: unknown) {
      return Reflect.set(target, name, shownValue(String(name), value, items), target);
    },
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      const key = String(name);
      if (lists.has(key) && isRows(value)) return value.map((item) => items.given(item));
      if (typeof value !== 'function') return value;
      const bound = (...given: unknown[]): unknown => Reflect.apply(value, target, given);
      if (listEvents.has(key))
        return listening(bound, (event) => (isRows(event) ? event.map((item) => items.given(item)) : event));
      if (key === 'onDidTriggerItemButton') {
        return listening(bound, (event) => (isOfRow(event) ? { ...event, item: items.given(event.item) } : event));
      }
      return bound;
    },
  });
}

function shownValue(name: string, value: unknown, items: PlainItems<ShownItem>): unknown {
  if (words.has(name)) return typeof value === 'string' ? plainLabel(value) : value;
  if (name === 'validationMessage') return plainValidation(value);
  return lists.has(name) && isRows(value) ? value.map((item) => items.shown(item)) : value;
}

/** A box's message about the typed text: words, or words with a severity. */
export function plainValidation<T>(message: T): T | string {
  if (typeof message === 'string') return plainLabel(message);
  const hasWords = typeof message === 'object' && message !== null && 'message' in message;
  return hasWords && typeof message.message === 'string'
    ? { ...message, message: plainLabel(message.message) }
    : message;
}

function listening(
  listen: (...given: unknown[]) => unknown,
  told: (event: unknown) => unknown,
): (...given: unknown[]) => unknown {
  return (listener, ...rest) =>
    listen(
      (event: unknown) =>
        typeof listener === 'function' ? Reflect.apply(listener, undefined, [told(event)]) : undefined,
      ...rest,
    );
}

function isRows(value: unknown): value is readonly ShownItem[] {
  return Array.isArray(value);
}

function isOfRow(value: unknown): value is { readonly item: ShownItem } {
  return typeof value === 'object' && value !== null && 'item' in value;
}
