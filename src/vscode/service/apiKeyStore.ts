import * as vscode from 'vscode';
import { mainServiceId } from '../../shared/modelRef.ts';
import type { SetupFailure } from '../../shared/apiFailure.ts';
import type { KeyMemory } from './keyMemory.ts';
import type { Redactor } from '../platform/redactor.ts';
import { allowsOrigin, hostsOf, isKey, readStoredKey, type StoredKey, writeStoredKey } from './storedKey.ts';

const mainSecretName = 'parlance.apiKey';

/** The key for a service, and where it's allowed. */
export interface ApiKey {
  /** Undefined if the user said that the service needs none. */
  readonly key: string | undefined;
  readonly source: 'stored' | 'environment' | 'none';
  /** The key can be sent to these origins only. */
  readonly origins: readonly string[];
}

/** `notKept`: the secret storage rejected the key, or returned something else afterwards. Nothing else changed. */
export type StoreResult = 'stored' | 'invalid' | 'notKept';

/** Whether a key that is saved here still exists after the window reloads. */
export type KeyLifetime = 'lasting' | 'lost' | 'unknown';

interface ApiKeyStoreDeps {
  readonly secrets: vscode.SecretStorage;
  /** ID of the service whose key this is. */
  readonly service: string;
  /**
   * SERVICE_API_KEY is used if nothing is stored and the user allows it. SERVICE_API_KEY_ORIGINS allows it in
   * advance: origins, separated by commas; `:*` at the end stands for any port.
   */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  readonly memory: KeyMemory;
  readonly redactor: Redactor;
  /** Called with the reason why the secret storage rejected a key. */
  readonly onError: (error: unknown) => void;
  /** Identifies this session of VS Code; `vscode.env.sessionId` by default. */
  readonly session?: string;
}

/**
 * The API key of a service, in VS Code's secret storage and bound to the origins that it was saved for. It's read for
 * each request and never cached: a key removed in one window is gone in all of them.
 */
export class ApiKeyStore implements vscode.Disposable {
  readonly #deps: ApiKeyStoreDeps;
  readonly #secretName: string;
  readonly #session: string;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;

  /** Fires for keys that changed in other windows too. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: ApiKeyStoreDeps) {
    this.#deps = deps;
    this.#secretName = deps.service === mainServiceId ? mainSecretName : `${mainSecretName}.${deps.service}`;
    this.#session = deps.session ?? vscode.env.sessionId;
    this.#subscription = deps.secrets.onDidChange((event) => {
      if (event.key === this.#secretName) {
        this.#changed.fire();
      }
    });
  }

  /**
   * The key for the service with this origin, or what is missing. A stored key takes precedence over the environment's,
   * which never silently replaces a key that was saved and is gone. The caller checks where the key is allowed.
   */
  async read(serviceOrigin: string): Promise<ApiKey | SetupFailure> {
    if (this.#deps.memory.origins('keyless').includes(serviceOrigin)) {
      return { key: undefined, source: 'none', origins: [] };
    }
    const stored = await this.#stored();
    if (stored !== undefined) {
      return { key: stored.key, source: 'stored', origins: stored.origins };
    }
    const { saved } = this.#deps.memory;
    if (saved !== undefined) {
      return { kind: 'setup', missing: 'savedApiKey', found: hostsOf(saved.origins) };
    }
    const key = this.#environmentKey();
    if (key === undefined) {
      return { kind: 'setup', missing: 'apiKey' };
    }
    if (!isKey(key)) {
      return { kind: 'setup', missing: 'validApiKey' };
    }
    this.#deps.redactor.learn(key);
    const beforehand = (this.#deps.environment()['SERVICE_API_KEY_ORIGINS'] ?? '')
      .split(',')
      .map((each) => each.trim());
    return { key, source: 'environment', origins: [...this.#deps.memory.origins('environment'), ...beforehand] };
  }

  /** Where keys are, without reading them. `lost`: one was saved, but VS Code no longer has it. */
  async sources(): Promise<{ readonly stored: boolean; readonly lost: boolean; readonly environment: boolean }> {
    const stored = (await this.#stored()) !== undefined;
    return {
      stored,
      lost: !stored && this.#deps.memory.saved !== undefined,
      environment: this.#environmentKey() !== undefined,
    };
  }

  /** What is known about how long this VS Code keeps a key. */
  async lifetime(): Promise<KeyLifetime> {
    const { lost } = await this.sources();
    const { saved } = this.#deps.memory;
    // Secrets are shared by all profiles, and notes aren't: a missing key might have been removed in another profile.
    if (lost && saved?.survived === false && saved.session !== this.#session) return 'lost';
    if (vscode.env.uiKind === vscode.UIKind.Desktop || saved?.survived === true) return 'lasting';
    return 'unknown';
  }

  /** Saves the key for these origins and reads it back. */
  async store(text: string, origins: readonly string[]): Promise<StoreResult> {
    const key = text.trim();
    if (!isKey(key)) {
      return 'invalid';
    }
    this.#deps.redactor.learn(key);
    const result = await this.#write({ key, origins });
    if (result === 'stored' && this.#deps.memory.origins('keyless').some((origin) => origins.includes(origin))) {
      await this.#deps.memory.drop('keyless', origins);
      // The storage announced the key before any origin was allowed for it.
      this.#changed.fire();
    }
    return result;
  }

  /** The user allows the current key for these origins as well. False if there's none to allow. */
  async allowFor(origins: readonly string[]): Promise<boolean> {
    const stored = await this.#stored();
    if (stored !== undefined) {
      const all = [...new Set([...stored.origins, ...origins])];
      return (await this.#write({ key: stored.key, origins: all })) === 'stored';
    }
    if (this.#deps.memory.saved !== undefined || this.#environmentKey() === undefined) {
      return false;
    }
    await this.#deps.memory.add('environment', origins);
    this.#changed.fire();
    return true;
  }

  /** The user says that the service with this origin needs no key, so none is sent there. */
  async useNone(serviceOrigin: string): Promise<void> {
    await this.#deps.memory.add('keyless', [serviceOrigin]);
    this.#changed.fire();
  }

  async remove(): Promise<void> {
    const isStored = (await this.#deps.secrets.get(this.#secretName)) !== undefined;
    await this.#deps.memory.setSaved(undefined);
    // The storage reports its own changes.
    if (isStored) await this.#deps.secrets.delete(this.#secretName);
    else this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #write(stored: StoredKey): Promise<StoreResult> {
    const text = writeStoredKey(stored);
    // Read first: anyone who reads the new key in the meantime would take it for the previous one, restored from an
    // earlier session.
    const survived = this.#deps.memory.saved?.survived ?? false;
    try {
      await this.#deps.secrets.store(this.#secretName, text);
      if ((await this.#deps.secrets.get(this.#secretName)) !== text) return 'notKept';
    } catch (error) {
      this.#deps.onError(error);
      return 'notKept';
    }
    // Only now: a key that was never saved must not count as lost.
    await this.#deps.memory.setSaved({ origins: stored.origins, session: this.#session, survived });
    return 'stored';
  }

  async #stored(): Promise<StoredKey | undefined> {
    const text = await this.#deps.secrets.get(this.#secretName);
    const stored = text === undefined ? undefined : readStoredKey(text);
    if (stored === undefined) {
      return undefined;
    }
    this.#deps.redactor.learn(stored.key);
    const { saved } = this.#deps.memory;
    if (saved !== undefined && !saved.survived && saved.session !== this.#session) {
      await this.#deps.memory.setSaved({ ...saved, survived: true });
    }
    return stored;
  }

  #environmentKey(): string | undefined {
    const key = this.#deps.environment()['SERVICE_API_KEY']?.trim();
    return key === undefined || key === '' ? undefined : key;
  }
}

/** True if the key is allowed for this origin. */
export function mayGoTo(key: ApiKey, origin: string): boolean {
  return key.source === 'none' || allowsOrigin(key.origins, origin);
}
