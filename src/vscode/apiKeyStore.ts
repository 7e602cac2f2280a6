import * as vscode from 'vscode';
import type { SetupFailure } from '../shared/apiFailure.ts';
import type { Redactor } from './redactor.ts';
import { allows, hostsOf, isKey, readStoredKey, type StoredKey, writeStoredKey } from './storedKey.ts';

const secretName = 'parlance.apiKey';

export interface ApiKey {
  readonly key: string;
  readonly source: 'stored' | 'environment';
}

/** `notKept`: the secret storage took the key and gave back something else. */
export type StoreResult = 'stored' | 'invalid' | 'notKept';

/**
 * The API key, in VS Code's secret storage and bound to the origins it was saved for. It is read for
 * each request and never kept: a key removed in one window is gone in all of them.
 */
export class ApiKeyStore implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #environmentKey: () => string | undefined;
  readonly #redactor: Redactor;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;

  /** Fires for changes made in other windows too. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: {
    readonly secrets: vscode.SecretStorage;
    /** The variable SERVICE_API_KEY, used when nothing is stored. */
    readonly environmentKey: () => string | undefined;
    readonly redactor: Redactor;
  }) {
    this.#secrets = deps.secrets;
    this.#environmentKey = deps.environmentKey;
    this.#redactor = deps.redactor;
    this.#subscription = deps.secrets.onDidChange((event) => {
      if (event.key === secretName) {
        this.#changed.fire();
      }
    });
  }

  /**
   * The key for requests to these origins, or what is missing. A stored key comes before the
   * environment's, and one that was saved for another host is never passed over in silence.
   */
  async read(origins: readonly string[]): Promise<ApiKey | SetupFailure> {
    const stored = await this.#stored();
    if (stored !== undefined) {
      return allows(stored, origins)
        ? { key: stored.key, source: 'stored' }
        : { kind: 'setup', missing: 'apiKeyForThisHost', found: hostsOf(stored) };
    }
    const key = this.#environment();
    if (key === undefined) {
      return { kind: 'setup', missing: 'apiKey' };
    }
    if (!isKey(key)) {
      return { kind: 'setup', missing: 'validApiKey' };
    }
    this.#redactor.learn(key);
    return { key, source: 'environment' };
  }

  /** Where keys are, without reading them out. */
  async sources(): Promise<{ readonly stored: boolean; readonly environment: boolean }> {
    return { stored: (await this.#stored()) !== undefined, environment: this.#environment() !== undefined };
  }

  /** Keeps the key for these origins and reads it back. */
  async store(text: string, origins: readonly string[]): Promise<StoreResult> {
    const key = text.trim();
    if (!isKey(key)) {
      return 'invalid';
    }
    this.#redactor.learn(key);
    return this.#write({ key, origins });
  }

  /** The user says that the stored key may go to these origins as well. False when there is none to allow. */
  async allowFor(origins: readonly string[]): Promise<boolean> {
    const stored = await this.#stored();
    if (stored === undefined) {
      return false;
    }
    const result = await this.#write({ key: stored.key, origins: [...new Set([...stored.origins, ...origins])] });
    return result === 'stored';
  }

  async remove(): Promise<void> {
    await this.#secrets.delete(secretName);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #write(stored: StoredKey): Promise<StoreResult> {
    const text = writeStoredKey(stored);
    await this.#secrets.store(secretName, text);
    return (await this.#secrets.get(secretName)) === text ? 'stored' : 'notKept';
  }

  async #stored(): Promise<StoredKey | undefined> {
    const text = await this.#secrets.get(secretName);
    const stored = text === undefined ? undefined : readStoredKey(text);
    if (stored !== undefined) {
      this.#redactor.learn(stored.key);
    }
    return stored;
  }

  #environment(): string | undefined {
    const key = this.#environmentKey()?.trim();
    return key === undefined || key === '' ? undefined : key;
  }
}
