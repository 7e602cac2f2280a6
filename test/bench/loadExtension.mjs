/**
 * The footprint rows run this in its own process: it imports an extension and prints the CPU time of the import in
 * milliseconds.
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const nothing = `
  const nothing = new Proxy(function () {}, { get: (_target, name) => (name === 'then' ? undefined : nothing), construct: () => nothing, apply: () => nothing });
  module.exports = nothing;`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: 'stub:vscode', format: 'commonjs', shortCircuit: true } : next(specifier, context),
  load: (url, context, next) => {
    if (url === 'stub:vscode') return { format: 'commonjs', source: nothing, shortCircuit: true };
    return next(url, context);
  },
});
// The extension host has already loaded these.
await Promise.all(
  ['crypto', 'fs', 'fs/promises', 'net', 'path', 'perf_hooks', 'tls', 'zlib'].map((name) => import(`node:${name}`)),
);
await import('vscode');
// Its parser and compiler are warm too.
await Promise.all(['valibot', 'fast-check'].map((name) => import(name)));
const [file] = process.argv.slice(2);
const url = file === undefined ? 'data:text/javascript,export function activate() {}' : pathToFileURL(file).href;
const before = process.cpuUsage();
await import(url);
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1000));
