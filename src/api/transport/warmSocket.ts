import type { Socket } from 'node:net';
import type { ConnectPlan, SocketReady } from './socketConnector.ts';
import { openTrustedSocket } from './openTrustedSocket.ts';

/** A socket that is opened before there's a request for it, and closed if none follows. */
export class WarmSocket {
  readonly #plan: ConnectPlan;
  readonly #gone: () => void;
  readonly #keepMs: number;
  readonly #cancel: () => void;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #taker: SocketReady | undefined;

  /** @param gone called if it couldn't be opened, was closed by the other side, or wasn't used for `keepMs`. */
  constructor(plan: ConnectPlan, keepMs: number, gone: () => void) {
    this.#plan = plan;
    this.#gone = gone;
    this.#keepMs = keepMs;
    this.#cancel = openTrustedSocket(plan, (error, socket) => {
      if (this.#taker !== undefined) this.#taker(error, socket);
      else if (socket === null) gone();
      else this.#keep(socket);
    });
  }

  /**
   * Passes the socket on, once, as soon as it's open. From now on, the receiver handles a failure to open it.
   * @returns a function that gives up at once.
   */
  readonly takeOver = (ready: SocketReady): (() => void) => {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    // Closed in this very turn: its event is still pending.
    if (socket?.destroyed === true) return openTrustedSocket(this.#plan, ready);
    if (socket === undefined) {
      this.#taker = ready;
      return this.#cancel;
    }
    this.#letGo(socket);
    queueMicrotask(() => ready(null, socket));
    return () => socket.destroy();
  };

  close(): void {
    clearTimeout(this.#timer);
    if (this.#socket !== undefined) this.#letGo(this.#socket).destroy();
    this.#taker ??= () => {};
    this.#cancel();
  }

  #keep(socket: Socket): void {
    this.#socket = socket;
    this.#timer = setTimeout(this.#gone, this.#keepMs).unref();
    socket.once('close', this.#gone);
    // Nothing was sent, so anything that arrives, for example a 408, announces the end.
    socket.once('readable', this.#gone);
  }

  #letGo(socket: Socket): Socket {
    return socket.off('close', this.#gone).off('readable', this.#gone);
  }
}
