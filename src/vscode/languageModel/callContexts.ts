import type { CallContext, ToolCall } from '../../api/toolTypes.ts';

/** In characters. An agent's long session needs a fraction of it. */
const mostKept = 8 * 1024 * 1024;

/**
 * What services expect back with the tool calls that their models made: VS Code only returns the calls. The oldest are
 * forgotten first.
 */
export class CallContexts {
  readonly #kept = new Map<string, CallContext>();
  #size = 0;

  /** @param version of the model, as VS Code knows it: no two models share one, and none must get another's. */
  keep(version: string, { id, name, context }: ToolCall): void {
    if (context === undefined) return;
    const key = keyOf(version, id, name);
    this.#forget(key);
    this.#kept.set(key, context);
    this.#size += sizeOf(context);
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= mostKept) return;
      this.#forget(oldest);
    }
  }

  of(version: string, id: string, name: string): CallContext | undefined {
    return this.#kept.get(keyOf(version, id, name));
  }

  #forget(key: string): void {
    const context = this.#kept.get(key);
    if (context === undefined) return;
    this.#kept.delete(key);
    this.#size -= sizeOf(context);
  }
}

function keyOf(version: string, id: string, name: string): string {
  return JSON.stringify([version, id, name]);
}

function sizeOf(context: CallContext): number {
  return JSON.stringify(context).length;
}
