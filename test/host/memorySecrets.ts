import * as vscode from 'vscode';

/** A secret storage in memory. The real one is handed to the extension alone, so a suite has none. */
export class MemorySecrets implements vscode.SecretStorage {
  readonly #values = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  /** Set to have the storage lose what it is given, as a locked keyring does. */
  forgetful = false;
  /** Set to have the storage refuse what it is given, as a keyring that can't be reached does. */
  refuses = false;

  readonly onDidChange = this.#changed.event;

  async keys(): Promise<string[]> {
    return [...this.#values.keys()];
  }

  async get(key: string): Promise<string | undefined> {
    return this.#values.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    if (this.refuses) throw new Error('The keyring cannot be reached');
    if (!this.forgetful) {
      this.#values.set(key, value);
    }
    this.#changed.fire({ key });
  }

  async delete(key: string): Promise<void> {
    this.#values.delete(key);
    this.#changed.fire({ key });
  }
}
