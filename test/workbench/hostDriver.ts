import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

interface Answer {
  readonly id?: number;
  readonly error?: string;
  readonly value?: unknown;
  /** A command that failed without being awaited. */
  readonly failedCommand?: string;
  /** An error in the extension host, with its stack. */
  readonly fault?: string;
}

interface Connection {
  readonly socket: Socket;
  /** Without an answer if the extension host is gone before it gives one. */
  readonly waiting: Map<number, (answer?: Answer) => void>;
}

/** Only for a host that hangs: on a busy machine, one can take more than a minute to start. */
const connectLimitMs = 150_000;

const lost: Answer = { error: 'it was gone before it answered' };

/**
 * Acts in the extension host next to Parlance, through the extension that `writeDriverExtension` writes. For things
 * that a test needs but isn't about: running a command by its ID takes a few milliseconds here, and a second or more in
 * the Command Palette.
 */
export class HostDriver {
  /** Commands that failed after they started, each with its error. */
  readonly failures: string[] = [];
  /** Errors in the extension host, from any source, each with its stack. */
  readonly faults: string[] = [];
  readonly #server = createServer((socket) => this.#welcome(socket));
  #connection: Connection | undefined;
  #connected = Promise.withResolvers<Connection>();
  #lastId = 0;

  static async start(): Promise<HostDriver> {
    const driver = new HostDriver();
    driver.#server.listen(0, '127.0.0.1');
    await once(driver.#server, 'listening');
    return driver;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The driver has no port');
    return address.port;
  }

  /** Whether an extension host has started its extensions. */
  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** Resolves when an extension host has started its extensions. */
  async whenConnected(): Promise<void> {
    await this.#live();
  }

  /** Resolves when the extension host is gone, and all that it sent has been heard; at once if there's none. */
  async whenGone(): Promise<void> {
    const socket = this.#connection?.socket;
    // Not `once` of node:events: a killed host's socket can end with an error, which that would throw.
    if (socket !== undefined) await new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  }

  /** Releases the extension host before its window closes: the next call waits for the next one. */
  forget(): void {
    this.#connection?.socket.destroy();
    this.#drop(this.#connection);
  }

  /**
   * Resolves when the command has started, or has ended the extension host, for example to reload its window. A command
   * that asks for input ends only once it has it.
   */
  async run(command: string, ...args: readonly unknown[]): Promise<void> {
    await this.#act({ act: 'command', command, args }, {});
  }

  /**
   * Resolves when the extension host has received everything that the window sent before, and has reported its errors;
   * at once if there's none, or none anymore.
   */
  async settle(): Promise<void> {
    if (this.#connection !== undefined) await this.#act({ act: 'settle' }, {});
  }

  /** Resolves when the command has ended. */
  async runToEnd(command: string, ...args: readonly unknown[]): Promise<void> {
    await this.#act({ act: 'commandToEnd', command, args });
  }

  /**
   * Opens a file in an editor.
   * @param path absolute, or relative to the open folder
   */
  async open(path: string): Promise<void> {
    await this.#act({ act: 'open', path });
  }

  /** Opens a file and selects whole lines, counting from 1; without `to`, the cursor is put before `from`. */
  async select(path: string, from: number, to?: number): Promise<void> {
    await this.#act({ act: 'select', path, from, to });
  }

  /** Changes user settings; `undefined` removes one. */
  async changeSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
    const sent = Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value ?? null]));
    await this.#act({ act: 'settings', changes: sent });
  }

  /** Bytes that are still in use in the extension host after a garbage collection, buffers outside its heap included. */
  async memoryInUse(): Promise<number> {
    return Number(await this.#act({ act: 'memory' }));
  }

  async close(): Promise<void> {
    this.forget();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #act(act: object, ifGone = lost): Promise<unknown> {
    const { socket, waiting } = await this.#live();
    const id = (this.#lastId += 1);
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    waiting.set(id, resolve);
    socket.write(`${JSON.stringify({ id, ...act })}\n`);
    const { error, value } = (await promise) ?? ifGone;
    if (error !== undefined) throw new Error(`The extension host could not do ${JSON.stringify(act)}: ${error}`);
    return value;
  }

  async #live(): Promise<Connection> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const limit = setTimeout(() => reject(new Error('No extension host started its extensions.')), connectLimitMs);
    try {
      return await Promise.race([this.#connected.promise, late]);
    } finally {
      clearTimeout(limit);
    }
  }

  #welcome(socket: Socket): void {
    this.forget();
    const connection: Connection = { socket, waiting: new Map() };
    this.#connection = connection;
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.#take(connection, JSON.parse(line));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => this.#drop(connection));
    this.#connected.resolve(connection);
  }

  #take({ waiting }: Connection, answer: Answer): void {
    if (answer.failedCommand !== undefined) this.failures.push(`${answer.failedCommand}: ${answer.error ?? ''}`);
    if (answer.fault !== undefined) this.faults.push(answer.fault);
    if (answer.id === undefined) return;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  }

  #drop(connection: Connection | undefined): void {
    if (connection === undefined || connection !== this.#connection) return;
    this.#connection = undefined;
    this.#connected = Promise.withResolvers();
    for (const settle of connection.waiting.values()) settle();
  }
}
