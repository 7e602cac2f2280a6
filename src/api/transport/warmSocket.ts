import type { Socket } from 'node:net';
import type { ConnectPlan, SocketReady } from './socketConnector.ts';
import { openTrustedSocket } from './openTrustedSocket.ts';

/** A socket that is opened before there is a request for it, and closed when none comes. */
export class WarmSocket {
  readonly #plan: ConnectPlan;
  readonly #gone: () => void;
  readonly #keepMs: number;
  readonly #cancel: () => void;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #taker: SocketReady | undefined;

  /** @param gone it could not be opened, was closed by the other side, or was not wanted for `keepMs`. */
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
   * Hands the socket over, once, as soon as it is open. A failure to open it is the taker's from now on.
   *
   * @returns a function that gives up at once.
   */
  readonly takeOver = (ready: SocketReady): (() => void) => {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    // Closed in this very turn: its event is still to come.
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
    // Nothing was asked, so whatever is said, such as a 408, is a farewell.
    socket.once('readable', this.#gone);
  }

  #letGo(socket: Socket): Socket {
    return socket.off('close', this.#gone).off('readable', this.#gone);
  }
}
