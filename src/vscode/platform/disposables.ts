import type { Disposable } from 'vscode';

/** Things to dispose together. Anything added after that is disposed at once, so nothing outlives its owner. */
export class DisposableList implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) {
      item.dispose();
    } else {
      this.#items.add(item);
    }
    return item;
  }

  /** Disposes one item early and forgets it. */
  remove(item: Disposable): void {
    if (this.#items.delete(item)) {
      item.dispose();
    }
  }

  /**
   * Newest first, so that items are disposed before those they depend on. If one throws, the others are still disposed.
   */
  dispose(): void {
    this.#disposed = true;
    const items = [...this.#items].toReversed();
    this.#items.clear();
    const errors: unknown[] = [];
    for (const item of items) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) {
      throw new AggregateError(errors, 'Disposing failed');
    }
  }
}

/** Holds one disposable at a time, and disposes it when it's replaced. */
export class DisposableSlot<T extends Disposable> implements Disposable {
  #item: T | undefined;
  #disposed = false;

  get value(): T | undefined {
    return this.#item;
  }

  set(item: T | undefined): void {
    if (item === this.#item) {
      return;
    }
    const replaced = this.#item;
    this.#item = this.#disposed ? undefined : item;
    if (this.#disposed) {
      item?.dispose();
    }
    replaced?.dispose();
  }

  dispose(): void {
    this.set(undefined);
    this.#disposed = true;
  }
}
