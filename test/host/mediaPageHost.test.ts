import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { InsertPlace } from '../../src/vscode/media/insertPlace.ts';
import type { MediaPageDeps } from '../../src/vscode/media/mediaPageDeps.ts';
import { MediaPageHost } from '../../src/vscode/media/mediaPageHost.ts';
import { MediaStudio } from '../../src/vscode/media/mediaStudio.ts';
import { modelFromText } from '../../src/core/models/modelText.ts';
import type { MediaRun } from '../../src/core/media/mediaLibrary.ts';
import { type FormValues, mediaKinds, type MediaParameters } from '../../src/shared/media.ts';
import type { RejectedField, ToMediaHost } from '../../src/shared/protocol/mediaProtocol.ts';
import { modelRef } from '../../src/shared/modelRef.ts';
import type { Problem } from '../../src/shared/problem.ts';
import { useServiceNames } from '../../src/words/modelLabel.ts';
import { eventually } from './eventually.ts';

interface Posted {
  readonly type: string;
  readonly text?: string;
  readonly prices?: string;
  readonly lack?: string;
  readonly isOnlyOne?: boolean;
  readonly form?: { readonly insertInto?: string; readonly replaced?: FormValues };
  readonly snapshot?: {
    readonly form?: { readonly values: FormValues; readonly replaced?: FormValues; readonly rejected?: RejectedField };
  };
}

/**
 * A form in which only the part about its model and its insert position is real.
 * @param kept the model in the stored form
 * @param over settles when a run is over; without it, runs are over at once
 * @param isReady false for a page that is still loading
 * @param checkSetup rejects if nothing can be sent
 */
function openForm(
  kept: string,
  fetched: Promise<string | undefined> = Promise.resolve(undefined),
  over?: Promise<void>,
  isReady = true,
  checkSetup = () => Promise.resolve(),
) {
  const stored: FormValues[] = [];
  const disk = { written: Promise.resolve() };
  const started: string[] = [];
  const picked: string[] = [];
  const replaced: (string | undefined)[] = [];
  const posted: Posted[] = [];
  const received = new vscode.EventEmitter<unknown>();
  const inserted: string[] = [];
  const ended: string[] = [];
  const used: string[] = [];
  let only: string | undefined;
  const webview = {
    onDidReceiveMessage: received.event,
    postMessage: async (message: Posted) => posted.push(message) > 0,
  };
  const nothing = async () => undefined;
  const deps = {
    gallery: {
      onDidChange: new vscode.EventEmitter().event,
      load: nothing,
      folder: { results: tmpdir(), useInputs: async (ids: readonly string[]) => void used.push(...ids) },
      runs: () => [],
      get: () => (over === undefined ? failedRun : madeRun),
      stateOf: () => 'failed',
      waitingUntil: () => undefined,
      start: async ({ model }: MediaParameters) => {
        started.push(model);
        return { id: 'a', over: over ?? Promise.resolve() };
      },
    },
    forms: {
      keep: (_kind: string, values: FormValues) => {
        stored.push(values);
        return disk.written;
      },
      onDidChange: () => () => undefined,
      following: nothing,
      values: async () => stored.at(-1) ?? { texts: { model: kept }, inputs: {} },
      presetNames: async () => [],
      preset: async () => ({ texts: { duration: '5' }, inputs: {} }),
    },
    pricesOf: (model: string) => (model === 'maker/film' ? '0.1' : undefined),
    lackOf: (kind: string, model: string) => (model.startsWith('home::') ? `no ${kind}` : undefined),
    writtenModel: modelFromText,
    pickModel: async (_kind: string, current: string) => {
      picked.push(current);
      return modelRef('home', 'maker/other');
    },
    checkSetup,
    acts: { insertAt: async (id: string) => inserted.push(id) > 0 },
    explainer: { problem: () => typo, problemOfError: () => typo },
    otherModel: async (_before: MediaParameters, offered: string | undefined) => void replaced.push(offered),
    onOver: (id: string) => void ended.push(id),
    defaultsOf: () => ({}),
    onlyModel: async () => only,
    fetchModels: async () => {
      only = await fetched;
    },
    shown: new Set(),
    onUnexpected: assert.ifError,
    pageLog: { debug: () => undefined, error: assert.ifError },
  };
  const page = new MediaPageHost(webview as unknown as vscode.Webview, 'video', deps as unknown as MediaPageDeps);
  if (isReady) received.fire({ type: 'ready' });
  const say = async (message: ToMediaHost, answer: string): Promise<Posted> => {
    posted.length = 0;
    received.fire(message);
    await eventually(answer, () => posted.some(({ type }) => type === answer));
    return posted.find(({ type }) => type === answer) ?? assert.fail(answer);
  };
  const send = (message: ToMediaHost) => received.fire(message);
  return {
    page,
    deps: deps as unknown as MediaPageDeps,
    used,
    posted,
    stored,
    disk,
    started,
    picked,
    replaced,
    inserted,
    ended,
    say,
    send,
  };
}

/** Everything is done by then that waits for nothing but promises that are settled, as all of the form's are. */
const turn = () => new Promise((next) => void setImmediate(next));

const failedRun: MediaRun = {
  id: 'a',
  parameters: { kind: 'video', model: 'maker/flim', prompt: 'A boat' },
  writer: 'w',
  pid: 1,
  startedAt: 1,
  endedAt: 2,
  outcome: 'failed',
  failure: { kind: 'setup', missing: 'model' },
  outputs: [],
  isDeleted: false,
};
const madeRun: MediaRun = {
  ...failedRun,
  parameters: { kind: 'video', model: 'maker/film', prompt: 'A kite' },
  outcome: 'made',
  outputs: [{ file: 'a.png', mediaType: 'image/png' }],
};
const typo: Problem = {
  severity: 'error',
  title: 'No such model',
  detail: '',
  actions: [{ kind: 'useModel', label: 'Use maker/film', model: 'maker/film' }],
  technical: '',
};

describe('The form for a video, opened before anything else', () => {
  it('runs a result again only once, however often that is asked for before its card shows', async () => {
    const { started, say, send } = openForm('maker/mine');
    await say({ type: 'ready' }, 'snapshot');
    const again = { type: 'act', id: 'a', output: 0, act: 'runAgain' } as const;
    send(again);
    await say(again, 'runAccepted');
    await say(again, 'runAccepted');
    assert.deepEqual(started, ['maker/flim', 'maker/flim']);
  });

  it('shows a page that is still loading what was replaced meanwhile, and which field was rejected', async () => {
    const { page, posted, send } = openForm('maker/mine', undefined, undefined, false);
    const rejected = { field: 'duration', value: '99', words: 'Too long' } as const;
    await page.setForm({ texts: { model: 'maker/film', prompt: 'A kite' }, inputs: {} }, undefined);
    await page.setForm({ texts: { model: 'maker/film', duration: '99' }, inputs: {} }, undefined, rejected);
    send({ type: 'ready' });
    await eventually('the form', () => posted.length > 0);
    const { replaced, rejected: marked } = posted[0]?.snapshot?.form ?? {};
    assert.deepEqual([replaced?.texts.model, marked], ['maker/mine', rejected]);
    page.dispose();
  });

  it('shows a page that is loaded while its form is replaced what was replaced, and never only the new values', async () => {
    const { page, posted, disk, send } = openForm('maker/mine', undefined, undefined, false);
    const { promise, resolve } = Promise.withResolvers<void>();
    disk.written = promise;
    const done = page.setForm({ texts: { model: 'maker/film' }, inputs: {} }, undefined);
    send({ type: 'ready' });
    // Whatever doesn't wait for the disk.
    await turn();
    resolve();
    await done;
    await eventually('the form', () => posted.length > 0);
    const { values, replaced } = posted[0]?.snapshot?.form ?? {};
    assert.deepEqual([values?.texts.model, replaced?.texts.model], ['maker/film', 'maker/mine']);
    page.dispose();
  });

  it("isn't counted as shown if it was closed or hidden while it loaded, and the next page shows what was replaced", async () => {
    for (const end of ['dispose', 'hidden'] as const) {
      const { page, deps, posted, say, send } = openForm('maker/mine', undefined, undefined, false);
      const { promise, resolve } = Promise.withResolvers<void>();
      const loading = { now: promise };
      const formRead = Promise.withResolvers<void>();
      Object.assign(deps.gallery, { load: () => loading.now });
      // The last that is read of it.
      const presetNames = async (): Promise<readonly string[]> => {
        formRead.resolve();
        return [];
      };
      Object.assign(deps.forms, { presetNames });
      await page.setForm({ texts: { model: 'maker/film' }, inputs: {} }, undefined);
      send({ type: 'ready' });
      page[end]();
      resolve();
      await formRead.promise;
      await turn();
      assert.deepEqual([deps.shown.size, posted], [0, []], end);
      if (end === 'dispose') continue;
      loading.now = Promise.resolve();
      const { snapshot } = await say({ type: 'ready' }, 'snapshot');
      assert.deepEqual([deps.shown.size, snapshot?.form?.replaced?.texts.model], [1, 'maker/mine']);
      page.dispose();
      assert.equal(deps.shown.size, 0);
    }
  });

  it('is shown at once, and gets the only suitable model once the list has been fetched', async () => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const { page, posted } = openForm('', promise);
    await eventually('the form', () => posted.length > 0);
    assert.deepEqual([posted[0]?.type, posted[0]?.snapshot?.form?.values.texts.model], ['snapshot', '']);
    resolve('maker/film');
    await eventually('the model', () => posted.length > 1);
    const { type, text, isOnlyOne } = posted[1] ?? { type: '' };
    assert.deepEqual([type, text, isOnlyOne], ['modelChosen', 'maker/film', true]);
    page.dispose();
  });

  it('keeps the model that it has, and stays empty if there are several or none', async () => {
    for (const [kept, found] of [
      ['maker/mine', 'maker/film'],
      ['', undefined],
    ] as const) {
      const { page, posted } = openForm(kept, Promise.resolve(found));
      await eventually('the form', () => posted.length > 0);
      await turn();
      assert.deepEqual(
        posted.map(({ type }) => type),
        ['snapshot'],
      );
      page.dispose();
    }
  });
});

describe('The form for a video, while another window writes others to the file that they share', () => {
  const image = { kind: 'file', id: 'start', name: 'a.png', mediaType: 'image/png', sizeBytes: 1 } as const;
  const own: FormValues = { texts: { model: 'maker/mine', prompt: 'A long prompt' }, inputs: { image } };
  const theirs: FormValues = { texts: { model: 'maker/theirs', prompt: 'Theirs' }, inputs: {} };

  it('still has its own after it was hidden, and the prompt when a preset is used', async () => {
    const { page, stored, used, say } = openForm('maker/mine');
    await say({ type: 'ready' }, 'snapshot');
    await say({ type: 'formChanged', values: own }, 'modelKnown');
    await eventually('what is on disk', () => stored.length === 1);
    stored.push(theirs);
    page.hidden();
    used.length = 0;
    const { snapshot } = await say({ type: 'ready' }, 'snapshot');
    assert.deepEqual(snapshot?.form?.values, own);
    assert.deepEqual(used, ['start'], 'its copy counts as used, so that no window deletes it');
    stored.push(theirs);
    const { form } = await say({ type: 'usePreset', name: 'Short' }, 'formSet');
    assert.deepEqual(stored.at(-1)?.texts, { duration: '5', prompt: 'A long prompt' });
    assert.deepEqual(form?.replaced, own);
    page.dispose();
  });

  it('begins with the last ones of any window, and keeps those too once they were shown', async () => {
    const { page, stored, say } = openForm('maker/mine');
    stored.push(own);
    await say({ type: 'ready' }, 'snapshot');
    stored.push(theirs);
    page.hidden();
    const { snapshot } = await say({ type: 'ready' }, 'snapshot');
    assert.deepEqual(snapshot?.form?.values, own);
    page.dispose();
  });

  it("gets what a command adds, and keeps its files in use, until it's closed", async () => {
    const { page, deps, stored } = openForm('maker/mine', undefined, undefined, false);
    page.dispose();
    const { extensionUri } = vscode.extensions.getExtension('parlance.parlance') ?? assert.fail();
    const studio = new MediaStudio(extensionUri, () => deps);
    await studio.open('video').setForm(own, undefined);
    stored.push(theirs);
    assert.deepEqual([await studio.values('video'), studio.inputIds()], [own, ['start']]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await eventually('the end of the form', () => studio.inputIds().length === 0);
    assert.deepEqual(await studio.values('video'), theirs);
  });

  it('has the icon of its kind in its tab', async () => {
    const { page, deps } = openForm('maker/mine', undefined, undefined, false);
    page.dispose();
    const { extensionUri } = vscode.extensions.getExtension('parlance.parlance') ?? assert.fail();
    const studio = new MediaStudio(extensionUri, () => deps);
    const icons = mediaKinds.map(async (kind) => {
      const panel = vscode.window.createWebviewPanel('parlance.test', kind, vscode.ViewColumn.Active);
      await studio.deserializeWebviewPanel(panel, { kind });
      const { iconPath } = panel;
      assert.ok(iconPath !== undefined && 'dark' in iconPath);
      panel.dispose();
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(iconPath.dark));
    });
    assert.equal(new Set(await Promise.all(icons)).size, mediaKinds.length);
  });
});

describe('The button of a run that failed', () => {
  it('takes the model that is offered; for any other that a page names, the user is asked', async () => {
    const { page, posted, replaced, send } = openForm('maker/flim');
    await eventually('the form', () => posted.length > 0);
    for (const model of ['maker/film', 'maker/costly']) send({ type: 'runAction', action: 'useModel', id: 'a', model });
    send({ type: 'runAction', action: 'selectModel', id: 'a' });
    await eventually('the buttons', () => replaced.length === 3);
    assert.deepEqual(replaced, ['maker/film', undefined, undefined]);
    page.dispose();
  });
});

describe('The button of a run that was refused', () => {
  it("lets the user select another model for the form, whose model isn't the chat's", async () => {
    const { page, posted, replaced, say, send } = openForm('gone/film', undefined, undefined, true, () =>
      Promise.reject(new Error('The service was removed')),
    );
    await eventually('the form', () => posted.length > 0);
    const parameters = { kind: 'video', model: 'gone/film', prompt: 'A boat' } as const;
    await say({ type: 'run', parameters }, 'runRefused');
    send({ type: 'runAction', action: 'selectModel' });
    await eventually('the question', () => replaced.length === 1);
    assert.deepEqual(replaced, [undefined]);
    page.dispose();
  });
});

describe('The result of a form that inserts it', () => {
  const values = { texts: { model: 'maker/film', prompt: 'A boat' }, inputs: {} };
  const run = { type: 'run', parameters: { kind: 'video', model: 'maker/film', prompt: 'A boat' } } as const;

  async function openInserting() {
    const over = Promise.withResolvers<void>();
    const form = openForm('maker/film', undefined, over.promise);
    await eventually('the form', () => form.posted.length > 0);
    const document = await vscode.workspace.openTextDocument({ content: 'text' });
    const place = new InsertPlace(document, new vscode.Position(0, 0));
    await form.page.setForm(values, place);
    return { ...form, place, end: () => over.resolve() };
  }
  const types = (posted: readonly Posted[]) => posted.map(({ type }) => type);

  it('is inserted when its run is over, without touching what is being typed in the form', async () => {
    const { page, posted, say, inserted, ended, end } = await openInserting();
    await say(run, 'runAccepted');
    posted.length = 0;
    end();
    await eventually('the note is gone', () => posted.length > 0);
    assert.deepEqual([inserted, ended, types(posted)], [['a'], [], ['placeChanged']]);
    page.dispose();
  });

  it("isn't inserted if that was canceled while it was generated", async () => {
    const { page, posted, say, inserted, ended, end } = await openInserting();
    await say(run, 'runAccepted');
    await say({ type: 'endInsert' }, 'placeChanged');
    assert.deepEqual(types(posted), ['placeChanged']);
    end();
    await eventually('the end', () => ended.length > 0);
    assert.deepEqual(inserted, []);
    page.dispose();
  });

  it('is still inserted after the form was closed', async () => {
    const { page, say, inserted, end, place } = await openInserting();
    await say(run, 'runAccepted');
    page.dispose();
    end();
    await eventually('the image', () => inserted.length > 0);
    await eventually('the end of its position', () => place.isCanceled);
  });

  it('is still inserted there after the settings of an earlier one are reused, which can be undone', async () => {
    const { page, say } = await openInserting();
    const { form } = await say({ type: 'act', id: 'a', output: 0, act: 'vary' }, 'formSet');
    assert.match(form?.insertInto ?? '', /^Untitled/);
    assert.deepEqual(form?.replaced, { texts: { model: 'maker/film', prompt: 'A boat' }, inputs: {} });
    page.dispose();
  });
});

describe('The form of a video with several services', () => {
  afterEach(() => useServiceNames({}));

  const formModel = ({ snapshot }: Posted): string | undefined => snapshot?.form?.values.texts.model;
  const texts = (model: string) => ({ texts: { model, prompt: 'A boat' }, inputs: {} });

  it("names a model's service in its field, in which another one can be typed the same way", async () => {
    useServiceNames({ service: 'Northwind', home: 'Home server' });
    const { page, posted, say, stored, started, picked } = openForm(modelRef('home', 'maker/film'));
    await eventually('the form', () => posted.length > 0);
    assert.equal(formModel(posted[0] ?? assert.fail()), 'Home server/maker/film');
    const known = async (model: string) => say({ type: 'formChanged', values: texts(model) }, 'modelKnown');

    const own = await known('Northwind/maker/film');
    assert.deepEqual([own.text, own.prices, own.lack], ['Northwind/maker/film', '0.1', undefined]);
    const home = await known('home server/maker/film');
    assert.deepEqual([home.text, home.prices, home.lack], ['home server/maker/film', undefined, 'no video']);
    await known('maker/plain');
    assert.deepEqual(
      stored.map((values) => values.texts.model),
      ['maker/film', 'home::maker/film', 'maker/plain'],
    );

    const chosen = await say({ type: 'chooseModel', current: 'Home server/maker/film' }, 'modelChosen');
    assert.deepEqual([picked, chosen.text], [['home::maker/film'], 'Home server/maker/other']);
    for (const model of ['Home server/maker/other', 'Northwind/maker/film', 'maker/plain']) {
      await say({ type: 'run', parameters: { kind: 'video', model, prompt: 'A boat' } }, 'runAccepted');
    }
    assert.deepEqual(started, ['home::maker/other', 'maker/film', 'maker/plain']);
    page.dispose();
  });

  it('still names the removed service of its model, so that nothing is sent to another one', async () => {
    useServiceNames({ service: 'Northwind' }, { gone: 'Old studio' });
    const { page, posted, say, started } = openForm(modelRef('gone', 'maker/film'));
    await eventually('the form', () => posted.length > 0);
    assert.equal(formModel(posted[0] ?? assert.fail()), 'Old studio/maker/film');
    const model = 'Old studio/maker/film';
    await say({ type: 'run', parameters: { kind: 'video', model, prompt: 'A boat' } }, 'runAccepted');
    assert.deepEqual(started, ['gone::maker/film']);
    page.dispose();
  });

  it("names only the model while there's one service, even if its ID looks like one of another service", async () => {
    useServiceNames({ service: 'Northwind' });
    const { page, posted, say, started } = openForm('northwind/film');
    await eventually('the form', () => posted.length > 0);
    assert.equal(formModel(posted[0] ?? assert.fail()), 'northwind/film');
    await say({ type: 'run', parameters: { kind: 'video', model: 'northwind/film', prompt: 'A' } }, 'runAccepted');
    assert.deepEqual(started, ['northwind/film']);
    page.dispose();
  });
});
