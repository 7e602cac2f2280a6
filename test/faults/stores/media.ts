import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadMedia } from '../../../src/api/download/mediaDownload.ts';
import type { ImageRequest } from '../../../src/api/operations/imageGeneration.ts';
import type { Operation } from '../../../src/api/operations/operation.ts';
import type { VideoRequest } from '../../../src/api/operations/videoGeneration.ts';
import type { WholeAnswer } from '../../../src/api/wire/wholeAnswer.ts';
import { MediaJobs } from '../../../src/core/media/mediaJobs.ts';
import type { MediaRun } from '../../../src/core/media/mediaLibrary.ts';
import type { MediaParameters } from '../../../src/shared/media.ts';
import { MediaFolder } from '../../../src/vscode/media/mediaFolder.ts';
import { MediaStore } from '../../../src/vscode/media/mediaStore.ts';
import { checkSet, type Setting, type StoreUnderTest } from '../storeUnderTest.ts';
import { fileBytes, fileHost } from './fileHost.ts';
import { waitForRetries } from './settling.ts';

const LONG_AGO_MS = 60 * 60 * 1000;

type Making =
  /** The response contains the bytes. */
  | { readonly type: 'image'; readonly name: string; readonly size: number }
  /** The response is a link, and the connection breaks halfway through the file. */
  | { readonly type: 'video'; readonly name: string; readonly size: number }
  | { readonly type: 'delete'; readonly name: string }
  /** A file that is sent with a request. */
  | { readonly type: 'input'; readonly name: string };

interface Seen {
  readonly runs: Readonly<Record<string, { readonly file?: string; readonly isDeleted: boolean }>>;
}

export const media: StoreUnderTest<Making, Seen> = {
  name: 'media',
  files: /^(runs\.jsonl|results\/[0-9a-f-]{36}-0(\.[0-9a-f]{8})?\.(png|webm)|inputs\/[0-9a-f-]{36})$/,
  operation(random, _window, before) {
    const made = before.filter(({ op }) => op.type === 'image' || op.type === 'video');
    const kind = random.next();
    if (made.length > 0 && kind < 0.2) return { type: 'delete', name: random.pick(made).op.name };
    if (kind < 0.3) return { type: 'input', name: random.uuid() };
    return { type: random.pick(['image', 'video', 'video']), name: random.uuid(), size: random.between(100, 60_000) };
  },
  open(setting) {
    const { reports } = setting;
    const { store, folder, jobs } = storesIn(setting);
    const mine: string[] = [];
    const isMade = (id: string): boolean => store.library.get(id)?.outputs[0]?.file !== undefined;
    return Promise.resolve({
      run: async (op) => {
        try {
          switch (op.type) {
            case 'image':
            case 'video': {
              await store.refresh();
              const { id, over } = await jobs.start(parametersOf(op.type, op.name, op.size));
              mine.push(id);
              await over;
              return { outcome: isMade(id) && reports() === 0 ? 'saved' : 'unsaved' };
            }
            case 'delete': {
              await store.refresh();
              const run = store.library.runs().find(({ parameters }) => parameters.model === op.name);
              if (run === undefined) return { outcome: 'refused' };
              await store.append({ type: 'deleted', id: run.id });
              return { outcome: reports() > 0 ? 'unsaved' : 'saved' };
            }
            case 'input':
              await folder.keepInput(op.name, Buffer.from(`input ${op.name}`));
              return { outcome: 'saved' };
          }
        } catch {
          // Reported to the caller.
          return { outcome: 'refused' };
        }
      },
      settle: async () => {
        await waitForRetries(() => store.refresh());
        // Like a user who selects Try Again.
        for (const id of mine.filter((each) => !isMade(each))) await fetchRest(jobs, store.library.get(id));
        return waitForRetries(() => store.refresh());
      },
      close: () => {
        store.dispose();
        return Promise.resolve();
      },
    });
  },
  async look(setting) {
    const { store, folder, jobs } = storesIn(setting);
    await store.refresh();
    // What nobody continues is taken over after it has been quiet for a while.
    const results = join(setting.folder, 'results');
    const longAgo = new Date(Date.now() - LONG_AGO_MS);
    for (const name of await readdir(results).catch((): string[] => [])) {
      await utimes(join(results, name), longAgo, longAgo);
    }
    for (const run of store.library.runs()) await fetchRest(jobs, run);
    await folder.remove(store.library.deleted().map(({ id }) => id));
    // Killed before a link could be written: its downloaded part is deleted with the run, which is still listed.
    await folder.remove(store.library.runs().flatMap(({ id, outputs }) => (outputs.length === 0 ? [id] : [])));
    const runs = [...store.library.runs(), ...store.library.deleted()].map(({ parameters, outputs, isDeleted }) => {
      const file = outputs[0]?.file;
      return [parameters.model, { isDeleted, ...(file !== undefined && { file }) }];
    });
    return { runs: Object.fromEntries(runs) as Seen['runs'] };
  },
  check(done, seen, folder) {
    const wrong: string[] = [];
    for (const { op, outcome } of done) {
      if (op.type !== 'input' || outcome !== 'saved') continue;
      if (folder.get(`inputs/${op.name}`)?.toString() !== `input ${op.name}`)
        wrong.push(`The input ${op.name} is not there`);
    }
    const sizes = new Map(done.flatMap(({ op }) => ('size' in op ? [[op.name, op] as const] : [])));
    const isWhole = (name: string): boolean => {
      const op = sizes.get(name);
      const file = seen.runs[name]?.file;
      return (
        op !== undefined &&
        (folder.get(`results/${file}`)?.equals(fileBytes(op.type === 'image' ? 'png' : 'webm', name, op.size)) ?? false)
      );
    };
    for (const [name, { file, isDeleted }] of Object.entries(seen.runs)) {
      if (file !== undefined && !isDeleted && !isWhole(name))
        wrong.push(`${name} is made, and its file ${file} is not what was sent`);
      if (isDeleted && file !== undefined && folder.has(`results/${file}`))
        wrong.push(`${name} was deleted, and ${file} is there`);
    }
    const inGallery = checkSet(done, {
      added: (op) => ('size' in op ? op.name : undefined),
      removes: (op, item) => op.type === 'delete' && op.name === item,
      isThere: (item) => seen.runs[item]?.isDeleted === false && isWhole(item),
    });
    return [...wrong, ...inGallery];
  },
};

async function fetchRest(jobs: MediaJobs, run: MediaRun | undefined): Promise<void> {
  const output = run?.outputs[0];
  if (run === undefined || output === undefined || output.file !== undefined) return;
  await jobs.download(run.id, 0, output.url);
}

function parametersOf(kind: 'image' | 'video', name: string, size: number): MediaParameters {
  return kind === 'image' ? { kind, model: name, prompt: '', seed: size } : { kind, model: name, duration: size };
}

/** The image itself, or the URL of the video. */
function answerTo({ name, body }: Operation): WholeAnswer {
  const {
    model,
    seed = 0,
    duration = 0,
  } = JSON.parse(String(body?.('native', '').content)) as VideoRequest & ImageRequest;
  const link = JSON.stringify({ data: [{ url: `https://files.test/${model}/${duration}` }] });
  return {
    status: 200,
    header: () => undefined,
    url: new URL('https://service.test'),
    body: name === 'image' ? fileBytes('png', model, seed) : Buffer.from(link),
  };
}

function storesIn({ folder, writer, report }: Setting) {
  const store = new MediaStore({
    path: join(folder, 'runs.jsonl'),
    writer,
    onError: report,
    onChange: () => undefined,
  });
  const files = new MediaFolder(folder, writer);
  const jobs = new MediaJobs({
    clientFor: () => ({
      ask: (operation) => Promise.resolve(operation.decode(answerTo(operation))),
    }),
    downloadsFor: () => ({
      downloadMedia: (url, sink, options) => downloadMedia({ transport: fileHost(), service: [] }, url, sink, options),
    }),
    files,
    record: (fact) => store.append(fact),
    redact: (failure) => failure,
    pid: process.pid,
    estimate: () => undefined,
    newId: () => crypto.randomUUID(),
    onProgress: () => undefined,
    onWaiting: () => undefined,
    now: Date.now,
    onUnexpected: report,
  });
  return { store, folder: files, jobs };
}
