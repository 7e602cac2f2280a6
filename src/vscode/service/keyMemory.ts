import { mainServiceId } from '../../shared/modelRef.ts';

/** Remembers that a key was saved, without the key, because some hosts lose their secrets when the window reloads. */
export interface SavedKeyNote {
  /** Origins that the key was saved for. */
  readonly origins: readonly string[];
  /** The session of VS Code in which it was saved. */
  readonly session: string;
  /** True once the key was read back in a later session. */
  readonly survived: boolean;
}

interface Notes {
  readonly saved?: SavedKeyNote;
  /** Origins that the environment's key is allowed for. */
  readonly environment?: readonly string[];
  /** Origins of services that need no key. */
  readonly keyless?: readonly string[];
  /** Origins that the user was asked about, because a dismissed question isn't repeated. */
  readonly asked?: readonly string[];
}

/** The part of VS Code's memento that we need. */
interface NoteStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const mainName = 'parlance.keyNotes';
/** Maximum number of entries per list, of which the latest are kept: a memento is read whole at every start. */
const mostOrigins = 50;

/** IDs of the services that a key was noted for, whether or not they're still in the list. */
export function notedServices(memento: { keys(): readonly string[] }): readonly string[] {
  return memento.keys().flatMap((name) => {
    if (name === mainName) return [mainServiceId];
    return name.startsWith(`${mainName}.`) ? [name.slice(mainName.length + 1)] : [];
  });
}

/**
 * What is known about a service's keys and where they're allowed. Never contains a key.
 *
 * In a memento rather than in a file with a lock, because it's needed at once, and a lost note costs little: if two
 * windows change the notes about one service at the same moment, the user is asked once more, or the environment's key
 * is used where it was allowed before.
 */
export class KeyMemory {
  readonly #memento: NoteStore;
  readonly #name: string;

  /** @param service its ID */
  constructor(memento: NoteStore, service: string) {
    this.#memento = memento;
    this.#name = service === mainServiceId ? mainName : `${mainName}.${service}`;
  }

  get saved(): SavedKeyNote | undefined {
    const { saved } = this.#notes();
    return saved !== undefined && Array.isArray(saved.origins) ? saved : undefined;
  }

  async setSaved(saved: SavedKeyNote | undefined): Promise<void> {
    const { saved: _, ...rest } = this.#notes();
    await this.#memento.update(this.#name, saved === undefined ? rest : { ...rest, saved });
  }

  /** Forgets a service that was permanently removed. */
  async forget(): Promise<void> {
    await this.#memento.update(this.#name, undefined);
  }

  origins(list: 'environment' | 'keyless' | 'asked'): readonly string[] {
    const origins = this.#notes()[list];
    return Array.isArray(origins) ? origins.filter((origin) => typeof origin === 'string') : [];
  }

  async add(list: 'environment' | 'keyless' | 'asked', origins: readonly string[]): Promise<void> {
    const all = [...new Set([...this.origins(list), ...origins])].slice(-mostOrigins);
    await this.#memento.update(this.#name, { ...this.#notes(), [list]: all });
  }

  async drop(list: 'environment' | 'keyless' | 'asked', origins: readonly string[]): Promise<void> {
    const left = this.origins(list).filter((origin) => !origins.includes(origin));
    await this.#memento.update(this.#name, { ...this.#notes(), [list]: left });
  }

  #notes(): Notes {
    const notes = this.#memento.get(this.#name);
    return typeof notes === 'object' && notes !== null ? notes : {};
  }
}
