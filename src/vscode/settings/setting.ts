import * as vscode from 'vscode';
import type { ContributedSetting } from './contributedSetting.ts';
import { ownValue } from './settingRules.ts';

/** A setting as a value and an event. */
export interface Setting<T> {
  readonly value: T;
  /** Fires with the new value, only when it differs from the last one. */
  readonly onDidChange: vscode.Event<T>;
}

/** Told when a value does not fit; never told the value, which could be a key pasted in the wrong place. */
export type MisfitListener = (settingId: string) => void;

/** A setting of package.json, checked each time it changes. A value that does not fit counts as the default. */
export class ConfigurationSetting<T extends string | number | boolean | null> implements Setting<T>, vscode.Disposable {
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
      if (event.affectsConfiguration(contribution.id)) {
        this.#refresh();
      }
    });
  }

  get value(): T {
    return this.#value;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #refresh(): void {
    const value = this.#read();
    if (value !== this.#value) {
      this.#value = value;
      this.#changed.fire(value);
    }
  }

  #read(): T {
    const { id, scope } = this.#contribution;
    const configuration = vscode.workspace.getConfiguration();
    const raw = scope === 'application' ? ownValue(configuration.inspect(id)) : configuration.get(id);
    if (raw === undefined) {
      return this.#contribution.default;
    }
    const value = this.#contribution.rule(raw);
    if (value === undefined) {
      this.#onMisfit(id);
      return this.#contribution.default;
    }
    return value;
  }
}
