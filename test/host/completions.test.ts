import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CompletionView } from '../../src/shared/attachment.ts';
import { Completions } from '../../src/vscode/attachments/completions.ts';
import { type FoundFiles, WorkspaceFiles } from '../../src/vscode/attachments/workspaceFiles.ts';

describe('What a # can stand for', () => {
  const filesNamed = (...names: readonly string[]) => names.map((name) => vscode.Uri.file(`/vast/${name}`));
  const labels = (rows: readonly CompletionView[] = []) => rows.map(({ label }) => label);
  let files: WorkspaceFiles | undefined;
  afterEach(() => files?.dispose());

  function completionsIn(read: () => Promise<FoundFiles>, editor?: vscode.TextEditor): Completions {
    files = new WorkspaceFiles(read);
    return new Completions(() => editor, files);
  }

  it('is shown before a search of many files ends, whose files follow with the same rows before them', async () => {
    const search = Promise.withResolvers<readonly vscode.Uri[]>();
    const uris = filesNamed('zebra.txt');
    const completions = completionsIn(() => Promise.resolve({ uris, named: () => search.promise }));
    const shown: (readonly CompletionView[])[] = [];
    const first = Promise.withResolvers<void>();
    const finding = completions.find('zeb', (rows) => {
      shown.push(rows);
      first.resolve();
    });
    await first.promise;
    assert.deepEqual(shown.map(labels), [['zebra.txt']]);
    search.resolve(filesNamed('zebra.txt', 'zeb.txt'));
    await finding;
    assert.deepEqual(shown.map(labels), [['zebra.txt'], ['zebra.txt', 'zeb.txt']]);
    assert.deepEqual(shown[1]?.[0], shown[0]?.[0]);
  });

  it('waits for the search if nothing else is found, and needs none if enough is', async () => {
    let searches = 0;
    const many = Array.from({ length: 30 }, (_, at) => `zebra${at}.txt`);
    const named = () => {
      searches += 1;
      return Promise.resolve([]);
    };
    const completions = completionsIn(() => Promise.resolve({ uris: filesNamed(...many), named }));
    const shown: (readonly CompletionView[])[] = [];
    await completions.find('zeb', (rows) => shown.push(rows));
    assert.deepEqual([shown.map(({ length }) => length), searches], [[20], 0]);
    await completions.find('quagga', (rows) => shown.push(rows));
    assert.deepEqual([shown.map(({ length }) => length), searches], [[20, 0], 1]);
  });

  it('is searched for and shown only as it was typed last, although the files are still being listed', async () => {
    const listing = Promise.withResolvers<FoundFiles>();
    const searched: string[] = [];
    const completions = completionsIn(() => listing.promise);
    const shown: string[] = [];
    const finding = ['z', 'ze', 'zeb'].map((typed) => completions.find(typed, () => shown.push(typed)));
    const named = (typed: string) => {
      searched.push(typed);
      return Promise.resolve(filesNamed('zeb.txt'));
    };
    listing.resolve({ uris: [], named });
    await Promise.all(finding);
    assert.deepEqual([searched, shown], [['zeb'], ['zeb']]);
  });

  it('has the open file once: as This File, or by its name if only that was typed', async () => {
    const uris = filesNamed('fig.txt', 'zebra-fig.txt');
    const editor = { document: { uri: uris[0] }, selections: [] } as unknown as vscode.TextEditor;
    const completions = completionsIn(() => Promise.resolve({ uris }), editor);
    const found = async (typed: string) => {
      let shown: readonly CompletionView[] = [];
      await completions.find(typed, (rows) => (shown = rows));
      return shown.filter(({ kind }) => kind === 'file');
    };
    assert.deepEqual(labels(await found('')), ['This File', 'zebra-fig.txt']);
    assert.match((await found('fi'))[0]?.detail ?? '', /fig\.txt$/);
    assert.deepEqual(labels(await found('fi')), ['This File', 'zebra-fig.txt']);
    assert.deepEqual(labels(await found('fig')), ['fig.txt', 'zebra-fig.txt']);
  });

  it('can be added after an earlier, slower search has ended', async () => {
    const slow = Promise.withResolvers<readonly vscode.Uri[]>();
    const named = (typed: string) => (typed === 'ze' ? slow.promise : Promise.resolve([]));
    const completions = completionsIn(() => Promise.resolve({ uris: filesNamed('picture.png'), named }));
    const earlier = completions.find('ze', () => assert.fail('shown too late'));
    let rows: readonly CompletionView[] = [];
    await completions.find('picture.p', (found) => {
      rows = found;
    });
    slow.resolve(filesNamed('ze.txt'));
    await earlier;
    const taken = await completions.take(rows.find(({ label }) => label === 'picture.png')?.id ?? '');
    assert.ok(taken !== undefined && 'picture' in taken);
  });
});
