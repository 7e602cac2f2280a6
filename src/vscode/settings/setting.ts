import * as vscode from 'vscode';
import type { ContributedSetting } from './contributedSetting.ts';
import { ownValue } from './settingRules.ts';

/** A setting as a value and an event. */
export interface Setting<T> {
  readonly value: T;
  /** Fires with the new value, only if it differs from the last one. */
  readonly onDidChange: vscode.Event<T>;
}

/** Called if a value is invalid, without the value, which could be a misplaced key. */
export type MisfitListener = (settingId: string) => void;

/** A setting in package.json, checked each time it changes. An invalid value counts as the default. */
export class ConfigurationSetting<T> implements Setting<T>, vscode.Disposable {
  readonly #contribution: ContributedSetting<T>;
  readonly #onMisfit: MisfitListener;
  readonly #changed = new vscode.EventEmitter<T>();
  readonly #subscription: vscode.Disposable;
  #value: T;

  readonly onDidChange = this.#changed.event;

  constructor(contribution: ContributedSetting<T>, onMisfit: MisfitListener) {
    this.#contribution = contribution;
    this.#onMisfit = onMisfit;
    this.#value = this.#read();
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration(contribution.id)) return;
      const value = this.#read();
      if (JSON.stringify(value) === JSON.stringify(this.#value)) return;
      this.#value = value;
      this.#changed.fire(value);
    });
  }

  get value(): T {
    return this.#value;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #read(): T {
    const { id, scope } = this.#contribution;
    const configuration = vscode.workspace.getConfiguration();
    const raw = scope === 'application' ? ownValue(configuration.inspect(id)) : configuration.get(id);
    const value = raw === undefined ? undefined : this.#contribution.rule(raw);
    if (raw !== undefined && value === undefined) this.#onMisfit(id);
    // Null is a value: it means not set.
    return value === undefined ? this.#contribution.default : value;
  }
}
