import type { CallContext, ToolCall } from '../../api/toolTypes.ts';

/** A call as VS Code returns it. */
export type CallMade = Pick<ToolCall, 'id' | 'name'> & { readonly input: object };

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
  keep(version: string, call: ToolCall): void {
    const { context } = call;
    if (context === undefined) return;
    const key = keyOf(version, call);
    this.#forget(key);
    this.#kept.set(key, context);
    this.#size += sizeOf(context);
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= mostKept) return;
      this.#forget(oldest);
    }
  }

  of(version: string, call: CallMade): CallContext | undefined {
    return this.#kept.get(keyOf(version, call));
  }

  #forget(key: string): void {
    const context = this.#kept.get(key);
    if (context === undefined) return;
    this.#kept.delete(key);
    this.#size -= sizeOf(context);
  }
}

/** The ID alone isn't enough: Kimi starts counting its calls again with each message. */
function keyOf(version: string, { id, name, input }: CallMade): string {
  return JSON.stringify([version, id, name, input]);
}

function sizeOf(context: CallContext): number {
  return JSON.stringify(context).length;
}
