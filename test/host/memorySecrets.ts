import * as vscode from 'vscode';

/** A secret storage in memory. VS Code gives the real one only to the extension, so a suite has none. */
export class MemorySecrets implements vscode.SecretStorage {
  readonly #values = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  /** Makes the storage lose what it stores, like a locked keyring. */
  forgetful = false;
  /** Makes the storage reject every write, like a keyring that can't be reached. */
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
