import * as vscode from 'vscode';
import { plainTreeItem } from './plainItems.ts';

/** A tree that exists from activation on, but whose rows are loaded when it's shown. */
export class LateTree<T> implements vscode.TreeDataProvider<T>, vscode.Disposable {
  readonly #load: () => Promise<vscode.TreeDataProvider<T>>;
  readonly #changed = new vscode.EventEmitter<T | T[] | undefined | null | void>();
  #subscription: vscode.Disposable | undefined;
  #tree: vscode.TreeDataProvider<T> | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(load: () => Promise<vscode.TreeDataProvider<T>>) {
    this.#load = load;
  }

  async getChildren(node?: T): Promise<T[]> {
    return (await (await this.#loaded()).getChildren(node)) ?? [];
  }

  async getTreeItem(node: T): Promise<vscode.TreeItem> {
    return plainTreeItem(await (await this.#loaded()).getTreeItem(node));
  }

  async getParent(node: T): Promise<T | undefined> {
    return (await (await this.#loaded()).getParent?.(node)) ?? undefined;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: T, token: vscode.CancellationToken): Promise<vscode.TreeItem> {
    return (await (await this.#loaded()).resolveTreeItem?.(item, node, token)) ?? item;
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#changed.dispose();
  }

  async #loaded(): Promise<vscode.TreeDataProvider<T>> {
    if (this.#tree !== undefined) return this.#tree;
    const tree = await this.#load();
    this.#tree ??= tree;
    this.#subscription ??= tree.onDidChangeTreeData?.((node) => this.#changed.fire(node));
    return tree;
  }
}
