import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FromWindow, ToWindow } from './windowMessages.ts';

/** As long as a busy machine might take: each retry of a locked file is a step of its own. */
const HUNG_MS = 180_000;

/** A window's process. If it was killed, the next call of `fresh` replaces it. */
export class WindowProcess {
  readonly #child: ChildProcess;
  readonly isReady: Promise<unknown>;
  #answer: ((message: FromWindow | { readonly type: 'killed' }) => void) | undefined;
  /** Called when the window pauses at a call. */
  onPause: (() => void) | undefined;
  isKilled = false;
  /** Errors where none are allowed. */
  readonly broken: string[] = [];

  constructor(program: string, root: string, epoch: number) {
    this.#child = fork(program, [root], {
      execArgv: ['--no-warnings'],
      env: { ...process.env, PARLANCE_EPOCH: String(epoch), NODE_COMPILE_CACHE: join(program, '..', 'compiled') },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let isStarted = false;
    this.#child.on('message', (message) => this.#take(message as FromWindow));
    // The first message says that it's ready.
    this.isReady = Promise.race([
      once(this.#child, 'message').then(() => (isStarted = true)),
      once(this.#child, 'exit'),
    ]);
    this.#child.on('exit', (code, signal) => {
      this.isKilled = true;
      if (!isStarted) this.broken.push(`It ended before it was ready, with ${code ?? signal}`);
      this.#answer?.({ type: 'killed' });
    });
  }

  async ask(message: ToWindow): Promise<FromWindow | { readonly type: 'killed' }> {
    await this.isReady;
    if (this.isKilled) return { type: 'killed' };
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve) => {
        this.#answer = resolve;
        timer = setTimeout(() => {
          this.broken.push(`It did not answer within ${HUNG_MS / 1000} seconds: ${JSON.stringify(message)}`);
          void this.end();
        }, HUNG_MS);
        this.#send(message);
      });
    } finally {
      clearTimeout(timer);
      this.#answer = undefined;
    }
  }

  resume(isAlone: boolean): void {
    if (!this.isKilled) this.#send({ type: 'resume', isAlone });
  }

  /** Resolves when it's gone, and with it whatever it was writing. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  /** A process that was just killed answers by exiting. */
  #send(message: ToWindow): void {
    this.#child.send(message, () => undefined);
  }

  #take(message: FromWindow): void {
    if (message.type === 'paused') this.onPause?.();
    else if (message.type === 'broke') {
      this.broken.push(message.error);
      this.#answer?.(message);
    } else this.#answer?.(message);
  }
}

/** The processes for one schedule after another. A spare one is always starting. */
export class WindowProcesses {
  readonly #start: () => WindowProcess;
  readonly #all = new Set<WindowProcess>();
  #spare: WindowProcess;

  constructor(program: string, root: string, epoch: number) {
    this.#start = () => {
      const started = new WindowProcess(program, root, epoch);
      this.#all.add(started);
      return started;
    };
    this.#spare = this.#start();
  }

  /** Reused as long as it lives and nothing broke in it. */
  living(before: WindowProcess | undefined): WindowProcess {
    if (before !== undefined && !before.isKilled && before.broken.length === 0) return before;
    if (before !== undefined) {
      void before.end();
      this.#all.delete(before);
    }
    const taken = this.#spare;
    this.#spare = this.#start();
    return taken;
  }

  async end(): Promise<void> {
    await Promise.all([...this.#all].map((each) => each.end()));
  }
}
