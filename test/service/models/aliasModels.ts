import { type RowDress, rowDresses } from '../catalog/rowDresses.ts';
import type { ModelDefinition } from './modelDefinition.ts';
import { write } from './chatModels.ts';
import { thinkerReply } from './thinkerReply.ts';
import { visionReply } from './visionReply.ts';
import { writingModel } from './writingModel.ts';

type Alias = readonly [id: string, what: 'writer' | 'echo' | 'thinker' | 'vision', tokensPerSecond: number];

/** Other names for the same few models, as a catalog has them: by provider, size, and edition. */
const named: readonly Alias[] = [
  ['harbor/quill-8b', 'writer', 160],
  ['harbor/quill-70b', 'writer', 45],
  ['harbor/quill-70b-thinking', 'thinker', 40],
  ['harbor/quill-vision-11b', 'vision', 70],
  ['kestrel/sparrow-mini', 'writer', 300],
  ['kestrel/sparrow', 'writer', 120],
  ['kestrel/sparrow-large', 'writer', 30],
  ['kestrel/sparrow-2026-08-15', 'writer', 110],
  ['kestrel/repeat-1', 'echo', 200],
  ['lumen/Beacon-V3.1', 'writer', 65],
  ['lumen/Beacon-V3.1-Thinking', 'thinker', 55],
  ['lumen/Beacon-V3.1-Fast', 'writer', 240],
  ['northwind/gale-32b-instruct', 'writer', 80],
  ['northwind/gale-32b-instruct-fp8', 'writer', 130],
  ['northwind/gale-vl-32b', 'vision', 60],
  ['northwind/breeze-3b', 'writer', 400],
  ['tern/scribe-pro', 'writer', 25],
  ['tern/scribe-pro-preview', 'thinker', 25],
  ['tern/scribe-lite', 'writer', 350],
  ['tern/mirror-lite', 'echo', 350],
];

/** IDs that aren't `<provider>/<model>`. */
const odd: readonly Alias[] = [
  ['quill', 'writer', 160],
  ['harbor/eu-west/quill-8b', 'writer', 160],
  ['harbor/eu-west/shared/pool-7/quill-70b-thinking', 'thinker', 40],
  ['tern/scribe pro (größer)', 'writer', 25],
  ['lumen//beacon', 'echo', 100],
];

const replies = { writer: write, echo: undefined, thinker: thinkerReply, vision: visionReply };
const dresses = Object.keys(rowDresses) as readonly RowDress[];

/** As many as requested: first the named ones, then numbered ones. */
export function aliasModels(count: number): readonly ModelDefinition[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => aliasModel(named[index] ?? numbered(index), index));
}

/** Listed only in a catalog of the form `odd-ids`. */
export function oddIdModels(): readonly ModelDefinition[] {
  return odd.map((alias, index) => ({ ...aliasModel(alias, index), hidden: true }));
}

function aliasModel([id, what, tokensPerSecond]: Alias, index: number): ModelDefinition {
  const reply = replies[what];
  return writingModel(id, `Another name for local/${what}, at ${tokensPerSecond} tokens a second.`, {
    ...(reply ? { reply } : {}),
    pace: { tokensPerSecond },
    sees: what === 'vision',
    contextWindow: 8192 * 2 ** (index % 6),
    maxOutputTokens: 4096 * 2 ** (index % 3),
    price: { perPromptToken: (1 + (index % 9)) * 1e-7, perCompletionToken: (2 + (index % 13)) * 4e-7, perRequest: 0 },
    dress: dresses[index % dresses.length] ?? 'full',
  });
}

function numbered(index: number): Alias {
  const providers = ['harbor', 'kestrel', 'lumen', 'northwind', 'tern'];
  const what = (['writer', 'writer', 'thinker', 'echo'] as const)[index % 4] ?? 'writer';
  return [`${providers[index % providers.length]}/${what}-${String(index).padStart(5, '0')}`, what, 20 + (index % 400)];
}
