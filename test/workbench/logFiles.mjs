/**
 * Stands in for the native part of @vscode/spdlog, which VS Code writes its log files with and which this
 * project doesn't compile for its tests. All above it is VS Code's own, so that what an extension logs goes the
 * whole way: to a file, and from there into the output panel. `installServer` puts this file where spdlog looks.
 */
import { appendFileSync } from 'node:fs';

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  #file;
  #level = 0;
  #isPlain = false;

  constructor(_type, _name, file) {
    this.#file = file;
  }

  trace(text) {
    this.#write(0, text);
  }

  debug(text) {
    this.#write(1, text);
  }

  info(text) {
    this.#write(2, text);
  }

  warn(text) {
    this.#write(3, text);
  }

  error(text) {
    this.#write(4, text);
  }

  critical(text) {
    this.#write(5, text);
  }

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  setPattern() {
    // The only one that VS Code asks for is the one below.
  }

  clearFormatters() {
    this.#isPlain = true;
  }

  flush() {}

  drop() {
    this.#level = levels.length;
  }

  #write(level, text) {
    if (level < this.#level) return;
    const at = new Date().toISOString().replace('T', ' ').replace('Z', '');
    try {
      appendFileSync(this.#file, this.#isPlain ? text : `${at} [${levels[level]}] ${text}\n`);
    } catch {
      // The folder goes before the last one who writes there; spdlog is silent then too.
    }
  }
}

const nativePart = () => ({ version: 0, setLevel() {}, setFlushOn() {}, Logger });

// `require` gives just this.
export { nativePart as 'module.exports' };
