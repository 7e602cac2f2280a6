import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Suite } from 'mocha';

const readme = new URL('../../README.md', import.meta.url);

/** The rows of the specification's tables. */
const specification: Readonly<Record<string, readonly string[]>> = {
  ChatRequest: ['model', 'messages', 'max_tokens', 'temperature', 'top_p', 'stream'],
  Message: ['role', 'content'],
  ChatResponse: ['id', 'object', 'created', 'model', 'choices', 'usage', 'x_metrics'],
  Choice: ['index', 'message', 'finish_reason'],
  Usage: ['prompt_tokens', 'completion_tokens', 'total_tokens'],
  Metrics: ['ttft_seconds', 'tps', 'total_time_seconds'],
  VideoGenerationRequest: [
    ...['model', 'prompt', 'duration', 'resolution', 'fps', 'aspect_ratio', 'image', 'audio', 'draft'],
    ...['save_audio', 'prompt_upsampling'],
  ],
  VideoGenerationResponse: ['created', 'data'],
  Endpoints: [
    'POST /v1/chat/completions',
    'POST /v1/videos/generations',
    ...['chat/completions', 'image/generation', 'audio/transcribe', 'multimodal/chat'].map(
      (path) => `POST /api/v1/svcai/${path}`,
    ),
    'GET /api/v1/models',
  ],
  ErrorResponse: ['message', 'type', 'code', 'param', 'request_id'],
  Statuses: ['400', '401', '402', '403', '404', '413', '429', '500', '502', '504'],
};

interface Row {
  /** Number of the table. */
  readonly heading: string;
  /** Empty if it belongs to the row above. */
  readonly name: string;
  readonly file: string;
  readonly titles: readonly string[];
}

const rows: readonly Row[] = readFileSync(readme, 'utf8')
  .split(/^#### /m)
  .flatMap((table) => {
    const [heading = '', ...lines] = table.split('\n');
    return lines.flatMap((line) => {
      const [, name = '', file, titles] = /^\| (.*?) ?\| \[[^\]]+\]\(([^)]+)\) \| (.+) \|$/.exec(line) ?? [];
      if (file === undefined || titles === undefined) return [];
      return [{ heading, name, file, titles: titles.split('<br>') }];
    });
  });

/** The full titles of every test of this run, by file. */
function titlesByFile(root: Suite): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  root.eachTest((test) => {
    const file = test.file ?? '';
    found.set(file, (found.get(file) ?? new Set()).add(test.fullTitle()));
  });
  return found;
}

/**
 * For a file that isn't loaded here, because each runs in its own process in a whole run: the titles as they are in its
 * source, or in what that imports from its folder. If one is assembled, the part after a group's name must be a
 * separate text there.
 */
function titlesWrittenIn(path: string): (title: string) => boolean {
  const own = readFileSync(path, 'utf8');
  const beside = [...own.matchAll(/from '(\.\/[^']+)'/g)].map(([, name = '']) => join(dirname(path), name));
  const source = [own, ...beside.map((file) => readFileSync(file, 'utf8'))].join('\n').replaceAll(/\\(['"`])/g, '$1');
  const written = (call: string): readonly string[] =>
    [...source.matchAll(new RegExp(`\\b${call}\\((['"\`])(.+?)\\1[,)]`, 'g'))].map((match) => match[2] ?? '');
  const groups = written('describe').map(patternOf);
  const group = groups.length === 0 ? '(?!)' : `(?:${groups.join('|')})`;
  const templates = [...source.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  // A part that is only a value would match any title.
  const tests = [...written('it'), ...templates].map(patternOf).filter((pattern) => /\w/.test(pattern));
  const whole = new RegExp(`^(?:${group} )+(?:${tests.join('|')})$`);
  const inGroup = new RegExp(`^(?:${group} )+`);
  const isText = (piece: string): boolean => ["'", '"', '`'].some((quote) => source.includes(quote + piece + quote));
  return (title) => whole.test(title) || (inGroup.test(title) && isText(title.replace(inGroup, '')));
}

/** A pattern for a title: a value matches anything. */
function patternOf(title: string): string {
  return title
    .split(/\$\{(?:[^{}]|\{[^{}]*\})*(?:\}|$)/)
    .map((piece) => piece.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    .join('.+');
}

function rootOf(suite: Suite | undefined): Suite {
  assert.ok(suite);
  return suite.parent === undefined ? suite : rootOf(suite.parent);
}

describe('The table of the contract in the README', () => {
  it('has each row of the specification, with a test whose name says it', () => {
    const missing = Object.entries(specification).flatMap(([heading, names]) =>
      names.filter(
        (name) =>
          !rows.some(
            (row) => row.heading === heading && row.name === name && row.titles.every((title) => title.includes(name)),
          ),
      ),
    );
    assert.deepEqual(missing, []);
  });

  it('names test files that exist', () => {
    assert.ok(rows.length > 80, String(rows.length));
    assert.deepEqual(
      rows.filter(({ file }) => !existsSync(new URL(file, readme))),
      [],
    );
  });

  it('names tests that exist', function () {
    const known = titlesByFile(rootOf(this.test?.parent));
    const missing = rows.flatMap(({ file, titles }) => {
      const path = fileURLToPath(new URL(file, readme));
      const inFile = known.get(path);
      const isThere = inFile === undefined ? titlesWrittenIn(path) : (title: string) => inFile.has(title);
      return titles.filter((title) => !isThere(title)).map((title) => `${file}: ${title}`);
    });
    assert.deepEqual(missing, []);
  });
});
