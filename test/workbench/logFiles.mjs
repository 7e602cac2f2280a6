/**
 * Replaces the native part of @vscode/spdlog, with which VS Code writes its log files and which this project doesn't
 * compile for its tests. Everything above it is VS Code's own, so an extension's log takes the real path: to a file,
 * and from there to the output panel. `installServer` puts this file where spdlog looks for it.
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
    // VS Code asks only for the one below.
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
      // The folder might be deleted before its last writer is done; spdlog is silent then too.
    }
  }
}

const nativePart = () => ({ version: 0, setLevel() {}, setFlushOn() {}, Logger });

// `require` returns just this.
export { nativePart as 'module.exports' };
