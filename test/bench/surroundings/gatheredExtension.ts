/**
 * Runs in the extension host, beside the extensions for languages: gathers what surrounds each selection as Parlance
 * does, with a CPU profile. The gathering is a file of its own, so that the profile tells whose code ran.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { SurroundingPiece } from '../../../src/core/prompts/surroundings/surroundingPieces.ts';
import type * as entry from './gatherEntry.ts';
import type { GatherJob, Gathered, GatheredOnce, ServerStart } from './gatherJob.ts';

const folder = process.env['BENCH_SURROUNDINGS_FOLDER'] ?? '';
/** In microseconds. */
const samplingInterval = 200;
const mostWaits = 40;

export async function activate(): Promise<void> {
  const job = JSON.parse(await readFile(join(folder, 'job.json'), 'utf8')) as GatherJob;
  const result = await gathered(job).catch((error: unknown) => ({ error: String(error) }));
  await writeFile(join(folder, 'result.json'), `${JSON.stringify(result)}\n`);
}

async function gathered({
  selections,
  rounds,
  server,
  start: languageServer,
}: GatherJob): Promise<readonly Gathered[]> {
  if (languageServer !== undefined) {
    // Next to this file, once built.
    const client = './client.js';
    const { startServer } = (await import(client)) as { startServer: (job: ServerStart) => Promise<void> };
    await startServer(languageServer);
  }
  const results: Gathered[] = [];
  for (const { file, from, to } of selections) {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    if (root === undefined) throw new Error('No folder is open');
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(root.uri, file));
    await vscode.window.showTextDocument(document);
    const text = document.getText();
    const [start, end] = [text.indexOf(from), text.indexOf(to, text.indexOf(from))];
    if (start < 0 || end < 0) throw new Error(`The selection isn't in ${file}`);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end + to.length));
    const first = await once(document, range);
    let pieces = first.pieces;
    // The extension for the language knows the project once nothing more is found.
    for (let [waits, same] = [0, 0]; waits < mostWaits && same < 4; waits += 1) {
      if (server !== 'none') await pause(500);
      const next = await once(document, range);
      same = JSON.stringify(next.pieces) === JSON.stringify(pieces) ? same + 1 : 0;
      ({ pieces } = next);
    }
    const warm: GatheredOnce[] = [];
    for (let round = 0; round < rounds; round += 1) warm.push(await once(document, range));
    results.push({ first, warm });
  }
  return results;
}

async function once(document: vscode.TextDocument, range: vscode.Range): Promise<GatheredOnce> {
  // Next to this file, once built.
  const path = './gather.js';
  const { gatherSurroundings } = (await import(path)) as typeof entry;
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: samplingInterval });
    await session.post('Profiler.start');
    const [before, cpuBefore] = [performance.now(), process.threadCpuUsage()];
    const pieces: readonly SurroundingPiece[] = await gatherSurroundings(
      { document, ranges: [range] },
      { contextWindow: undefined, onError: assert.ifError },
    );
    const totalMs = performance.now() - before;
    const { user, system } = process.threadCpuUsage(cpuBefore);
    const { profile } = await session.post('Profiler.stop');
    return { totalMs, pieces, ...cpuByOwner(profile, (user + system) / 1000) };
  } finally {
    session.disconnect();
  }
}

type Owner = 'ownMs' | 'languageMs' | 'hostMs';

/**
 * The thread's CPU time, divided by whose code was on the stack: ours, with everything that it called; that of an
 * extension for a language; or only VS Code's. By the number of samples, because a busy machine makes each of them long.
 */
function cpuByOwner({ nodes, samples = [] }: Profiler.Profile, cpuMs: number): Readonly<Record<Owner, number>> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const owners = new Map<number, Owner>();
  const visit = (id: number, above: Owner | undefined): void => {
    const node = byId.get(id);
    if (node === undefined) return;
    const owner = ownerOf(node.callFrame, above);
    if (owner !== undefined) owners.set(id, owner);
    for (const child of node.children ?? []) visit(child, owner);
  };
  visit(nodes[0]?.id ?? 0, undefined);
  const counts = { ownMs: 0, languageMs: 0, hostMs: 0 };
  for (const id of samples) {
    const owner = owners.get(id);
    if (owner !== undefined) counts[owner] += 1;
  }
  const each = cpuMs / Math.max(1, counts.ownMs + counts.languageMs + counts.hostMs);
  return { ownMs: counts.ownMs * each, languageMs: counts.languageMs * each, hostMs: counts.hostMs * each };
}

function ownerOf(
  { url, functionName }: Profiler.ProfileNode['callFrame'],
  above: Owner | undefined,
): Owner | undefined {
  if (above === 'ownMs' || url.endsWith('/gather.js')) return 'ownMs';
  if (/\/extensions\/|\/client\.js$/.test(url)) return 'languageMs';
  return above ?? (/^\((?:root|idle|program)\)$/.test(functionName) ? undefined : 'hostMs');
}
