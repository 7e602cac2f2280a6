import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Comparison } from '../../src/core/compare/comparison.ts';
import { problemOfInterruptedReply } from '../../src/core/problems/compareProblems.ts';
import { problemOf } from '../../src/core/problems/problemOf.ts';
import { applyReply } from '../../src/vscode/compare/applyReply.ts';
import type { ComparePageDeps } from '../../src/vscode/compare/comparePageDeps.ts';
import { CompareEditors } from '../../src/vscode/compare/compareEditors.ts';
import { ComparePageHost } from '../../src/vscode/compare/comparePageHost.ts';
import { StoredComparisons } from '../../src/vscode/compare/storedComparisons.ts';
import type { ExperimentStore } from '../../src/vscode/experiments/experimentStore.ts';
import { processMark } from '../../src/vscode/disk/processMark.ts';
import type { WithheldRequests } from '../../src/vscode/requests/log/withheldRequests.ts';
import type { RequestHistory } from '../../src/vscode/requests/requestHistory.ts';
import { agreesToSend } from '../../src/vscode/experiments/agreesToSend.ts';
import { openExperiments } from '../../src/vscode/experiments/openExperiments.ts';
import type { NewVote } from '../../src/vscode/models/voteStore.ts';
import type { ToCompareHost, ToComparePage } from '../../src/shared/protocol/compareProtocol.ts';
import { modelLabel } from '../../src/words/modelLabel.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { listedModel } from '../unit/core/experiments/someExperiment.ts';
import { RequestsHere } from '../unit/vscode/requests/requestsHere.ts';
import { answering } from './answering.ts';
import { attachmentsIn } from './attachmentsPage.ts';
import { eventually } from './eventually.ts';

/** As a window that was just opened reads them. Nobody has voted. */
function storedWith(
  experiments: ExperimentStore,
  withheld: Pick<WithheldRequests, 'release' | 'read' | 'hasQuestion'> = {
    release: () => undefined,
    read: () => Promise.resolve(),
    hasQuestion: () => false,
  },
): StoredComparisons {
  const nothing = () => Promise.resolve(undefined);
  const votes = { remove: nothing };
  return new StoredComparisons({
    experiments,
    columns: { read: nothing, remove: nothing },
    attachments: { purge: nothing },
    votes,
    withheld,
  });
}

/** Waits until this many replies of a comparison have ended on disk too, which is written later than it's known. */
async function endsOnDisk(id: string, experiments: ExperimentStore, count: number): Promise<void> {
  await eventually(`${count} ends on disk`, async () => {
    const replies = (await storedIn(id, experiments))?.replies ?? [];
    return replies.filter(({ end }) => end !== undefined).length >= count;
  });
}

async function storedIn(id: string, experiments: ExperimentStore): Promise<Comparison | undefined> {
  return (await storedWith(experiments).open(id)).comparison;
}

describe('The page of a comparison', () => {
  let here: RequestsHere;
  let folder: string;
  let service: InferenceService;
  const cleanups: (() => unknown)[] = [];
  /** What the user selects when asked for a model. */
  const picked: string[] = [];
  const votes: NewVote[] = [];

  before(async () => {
    here = await RequestsHere.start();
    folder = await mkdtemp(join(tmpdir(), 'parlance-compare-'));
    service = await startInferenceService({ tokensPerSecond: Infinity });
  });
  after(async () => {
    for (const cleanUp of cleanups.toReversed()) await cleanUp();
    await here.stop();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A page whose models are these; its problems offer `local/echo`. */
  function open(
    models: readonly string[],
    stored?: Comparison,
    above: number | null = null,
    /** Of another window. */
    store?: ExperimentStore,
    unvoted?: string,
    /** Of another window's process. */
    mark?: string,
  ): {
    readonly comparison: Comparison;
    readonly deps: ComparePageDeps;
    readonly store: ExperimentStore;
    readonly history: RequestHistory;
    readonly withheld: WithheldRequests;
    readonly posted: ToComparePage[];
    readonly say: (message: ToCompareHost) => void;
    /** As VS Code does when the window is closed. */
    readonly leave: () => void;
    /** As a user closes its tab. */
    readonly close: () => void;
  } {
    const { baseUrl, nativeUrl, apiKey } = service;
    const endpoint = { baseUrl: new URL(baseUrl), nativeUrl: new URL(nativeUrl), apiKey };
    const log = here.window({
      callsOf: () => here.client(() => Promise.resolve(endpoint)),
      ...(mark !== undefined && { mark }),
    });
    cleanups.push(() => log.withheld.dispose());
    const listed = ['local/echo', 'local/fast'].map((id) => listedModel({ id }));
    const own = openExperiments({
      folder: join(folder, 'experiments'),
      find: ({ id }) => listed.find((model) => model.id === id),
      replyTokensOf: () => undefined,
      hostOf: () => new URL(baseUrl).host,
      callsFor: (model, origin) => log.calls.from(origin).forModel(model),
      clean: here.redactor.cleanData,
      cleanBody: here.redactor.cleanKeys,
      onError: assert.ifError,
      onUnsaved: assert.ifError,
    });
    const experiments = store === undefined ? own : { ...own, store };
    cleanups.push(() => experiments.store.stop());
    const { attachments } = attachmentsIn(folder, () => Promise.resolve(listed));
    const unused = () => assert.fail('nobody asked for it');
    const facts = { during: 'chat', pages: {}, hasPartialText: false } as const;
    const given = {
      experiments,
      attachments,
      measured: { figures: () => undefined },
      explain: (failure, { model }) =>
        problemOf(failure, { ...facts, model, closestModels: () => ['local/echo'], now: Date.now() }),
      explainInterrupted: ({ model }) => problemOfInterruptedReply({ ...facts, model, now: Date.now() }),
      chargeNote: ({ model }) => `${model} might have been charged.`,
      explainError: unused,
      checkSetup: () => Promise.resolve(),
      lackOf: () => undefined,
      agrees: (estimate) => agreesToSend(estimate, above),
      chatDefaults: () => ({}),
      onDidChangeChatDefaults: new vscode.EventEmitter().event,
      onDidChangeModels: () => () => undefined,
      keepColumns: () => undefined,
      withheld: log.withheld,
      pickModel: () => Promise.resolve(picked.pop()),
      votes: {
        add: (vote) => {
          votes.push(vote);
          return Promise.resolve();
        },
        all: () => Promise.resolve(votes.map((vote) => ({ type: 'voted', version: 1, ...vote, writer: 'w', at: 1 }))),
      },
      warm: () => Promise.resolve(),
      runAction: unused,
      onUnexpected: assert.ifError,
      pageLog: { error: assert.ifError, debug: () => undefined },
      onDidChange: () => undefined,
    } satisfies Partial<ComparePageDeps>;
    const posted: ToComparePage[] = [];
    const arrive = new vscode.EventEmitter<unknown>();
    const webview: Pick<vscode.Webview, 'postMessage' | 'onDidReceiveMessage' | 'asWebviewUri'> = {
      postMessage: (message: ToComparePage) => {
        posted.push(message);
        return Promise.resolve(true);
      },
      onDidReceiveMessage: arrive.event,
      asWebviewUri: (uri) => uri,
    };
    const columns = models.map((model, index) => ({ id: `c${index}`, model }));
    const comparison = stored ?? new Comparison(crypto.randomUUID(), columns);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what else it needs is for buttons that nobody presses here
    const deps = given as unknown as ComparePageDeps;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it needs nothing else of it
    const page = new ComparePageHost(webview as vscode.Webview, comparison, deps, unvoted);
    cleanups.push(() => page.dispose());
    return {
      comparison,
      deps,
      store: experiments.store,
      history: log.history,
      withheld: log.withheld,
      posted,
      say: (message) => arrive.fire(message),
      leave: () => page.dispose(),
      close: () => page.closed(),
    };
  }

  /** A comparison that's read while one of its two replies hangs. */
  async function withOneHanging() {
    const first = open(['local/fault-hang', 'local/echo']);
    first.say({ type: 'ready' });
    const sent = service.asked().length;
    first.say({ type: 'compare', text: 'Hello', attachments: [] });
    await eventually('the finished reply', () => first.comparison.replies.some(({ end }) => end !== undefined));
    await eventually('both requests', () => service.asked().length === sent + 2);
    await endsOnDisk(first.comparison.id, first.store, 1);
    return { first, sent };
  }

  async function shownIn({ posted, say }: Pick<ReturnType<typeof open>, 'posted' | 'say'>) {
    say({ type: 'ready' });
    const snapshot = () => posted.find((message) => message.type === 'snapshot');
    await eventually('the snapshot', () => snapshot() !== undefined);
    const { replies } = snapshot()?.snapshot ?? assert.fail();
    return ['local/echo', 'local/fault-hang'].map((model) => {
      const reply = replies.find((each) => each.model === model);
      return [model, reply?.state, reply?.problem?.title];
    });
  }

  it('shows what happened to a reply that was cut off by a crash, and sends nothing', async () => {
    const { first, sent } = await withOneHanging();
    // As a restarted window reads it: nothing is running in it.
    const comparison = await storedIn(first.comparison.id, open([]).store);
    assert.ok(comparison !== undefined);
    assert.deepEqual(await shownIn(open([], comparison)), [
      ['local/echo', 'done', undefined],
      ['local/fault-hang', 'interrupted', 'Interrupted'],
    ]);
    assert.equal(service.asked().length, sent + 2);
    first.say({ type: 'stop' });
    await eventually('its end', () => first.comparison.replies.every(({ end }) => end !== undefined));
  });

  it('says that a reply that a reload interrupted might have been charged', async () => {
    const { first } = await withOneHanging();
    first.leave();
    await eventually('its end', () => first.comparison.replies.every(({ end }) => end !== undefined));
    await endsOnDisk(first.comparison.id, first.store, 2);
    const { posted, say } = open([], await storedIn(first.comparison.id, first.store));
    say({ type: 'ready' });
    const snapshot = () => posted.find((message) => message.type === 'snapshot');
    await eventually('the snapshot', () => snapshot() !== undefined);
    assert.deepEqual(
      snapshot()
        ?.snapshot.replies.map(({ model, state, chargeNote }) => [model, state, chargeNote])
        .toSorted(),
      [
        ['local/echo', 'done', undefined],
        ['local/fault-hang', 'stopped', 'local/fault-hang might have been charged.'],
      ],
    );
  });

  it("doesn't ask again while another window is waiting for a reply, and shows how that ends", async () => {
    const { first, sent } = await withOneHanging();
    const comparison = await storedIn(first.comparison.id, first.store);
    assert.ok(comparison !== undefined);
    const second = open([], comparison, null, first.store);
    assert.deepEqual(await shownIn(second), [
      ['local/echo', 'done', undefined],
      ['local/fault-hang', 'elsewhere', undefined],
    ]);
    const hanging = comparison.replies.find(({ model }) => model === 'local/fault-hang');
    second.say({ type: 'retry', replyId: hanging?.id ?? '' });
    await eventually('the refusal', () => second.posted.some(({ type }) => type === 'askRefused'));
    assert.equal(service.asked().length, sent + 2);
    first.say({ type: 'stop' });
    const ended = () =>
      second.posted.some((message) => message.type === 'replyShown' && message.reply.state === 'stopped');
    await eventually('its end in the second window', ended);
    assert.equal(comparison.isRunning(), false);
  });

  it('keeps requests that name the models out of every list until the vote, or until its tab is closed', async () => {
    for (const end of ['vote', 'close'] as const) {
      const { comparison, posted, say, history, close } = open(['local/echo', 'local/fast']);
      // The end of a request of the previous test might still be on its way to the disk.
      const listed = async () => {
        const ids = new Set(history.own().map(({ id }) => id));
        return (await history.requests()).filter(({ id }) => ids.has(id)).length;
      };
      const changes: number[] = [];
      history.onDidChangeRequests(() => void listed().then((count) => changes.push(count)));
      say({ type: 'ready' });
      say({ type: 'setBlind', isBlind: true });
      say({ type: 'compare', text: 'Hello', attachments: [] });
      const shown = () => posted.findLast((message) => message.type === 'snapshot')?.snapshot;
      await eventually('the vote', () => shown()?.blindStage === 'voting');
      const own = history.own().filter((request) => history.isWithheld(request));
      assert.deepEqual([own.length, await listed()], [2, 0]);
      const turnId = comparison.turns.at(-1)?.id ?? '';
      if (end === 'vote') say({ type: 'vote', turnId, choice: 'equal' });
      else close();
      await eventually('both requests in the list', async () => (await listed()) === 2);
      await eventually('news of them', () => changes.at(-1) === 2);
      assert.ok(
        changes.every((count) => count === 0 || count === 2),
        changes.join(),
      );
    }
  });

  it('says which model the vote was for, and how it was shown before; after a reload only the model', async () => {
    const { comparison, posted, say, leave, store } = open(['local/echo', 'local/fast']);
    say({ type: 'ready' });
    say({ type: 'setBlind', isBlind: true });
    say({ type: 'compare', text: 'Hello', attachments: [] });
    const shown = () => posted.findLast((message) => message.type === 'snapshot')?.snapshot;
    await eventually('the vote', () => shown()?.blindStage === 'voting');
    const [first = assert.fail()] = shown()?.columns ?? [];
    assert.equal(shown()?.given, undefined);
    const turnId = comparison.turns.at(-1)?.id ?? '';
    say({ type: 'vote', turnId, choice: { columnId: first.id } });
    await eventually('the models', () => shown()?.blindStage === 'off');
    const model = shown()?.columns.find(({ id }) => id === first.id)?.model;
    assert.deepEqual(shown()?.given, { turnId, words: `Your vote: ${model}, shown as ${first.model}` });
    assert.equal(first.model, 'Reply A');
    leave();
    await endsOnDisk(comparison.id, store, 2);
    const again = open([], (await storedIn(comparison.id, store)) ?? assert.fail());
    again.say({ type: 'ready' });
    const words = () => again.posted.findLast((message) => message.type === 'snapshot')?.snapshot.given;
    await eventually('the vote of before', () => words() !== undefined);
    assert.deepEqual(words(), { turnId, words: `Your vote: ${model}` });
  });

  it('still hides its models after a reload before the vote, and their requests too', async () => {
    const first = open(['local/echo', 'local/fast']);
    first.say({ type: 'ready' });
    first.say({ type: 'setBlind', isBlind: true });
    first.say({ type: 'compare', text: 'Hello', attachments: [] });
    const shownBy = ({ posted }: typeof first) =>
      posted.findLast((message) => message.type === 'snapshot')?.snapshot ?? assert.fail('no snapshot');
    await eventually('the vote', () =>
      first.posted.some((message) => message.type === 'snapshot' && message.snapshot.blindStage === 'voting'),
    );
    const letters = ({ columns }: ReturnType<typeof shownBy>) => columns.map(({ id, model }) => `${id} ${model}`);
    const ids = new Set(first.history.own().map((request) => request.id));
    first.leave();
    await first.history.flush();
    // Before any tab is shown: VS Code restores the one in front only.
    const { history, withheld } = here.window();
    const listed = async () => (await history.requests()).filter((request) => ids.has(request.id)).length;
    assert.deepEqual([ids.size, await listed()], [2, 0]);
    assert.ok([...ids].every((request) => history.find(request) === undefined));
    const { id } = first.comparison;
    await endsOnDisk(id, first.store, 2);
    const comparison = (await storedIn(id, first.store)) ?? assert.fail();
    const unvoted = await storedWith(first.store, withheld).unvotedTurn(comparison);
    const second = open([], comparison, null, undefined, unvoted);
    second.say({ type: 'ready' });
    await eventually('the snapshot', () => second.posted.some(({ type }) => type === 'snapshot'));
    assert.equal(shownBy(second).blindStage, 'voting');
    assert.ok(!JSON.stringify(shownBy(second)).includes('local/'), 'a model is named');
    assert.deepEqual(letters(shownBy(second)).toSorted(), letters(shownBy(first)).toSorted());
    const [turn] = comparison.turns;
    second.say({ type: 'vote', turnId: turn?.id ?? '', choice: 'equal' });
    await eventually('both requests in the list', async () => (await listed()) === 2);
    assert.equal(shownBy(second).blindStage, 'off');
  });

  it('hides its models in two windows until the vote in one of them, even if the other one closes its tab', async () => {
    const shownBy = ({ posted }: Pick<ReturnType<typeof open>, 'posted'>) =>
      posted.findLast((message) => message.type === 'snapshot')?.snapshot;
    for (const end of ['close', 'vote'] as const) {
      const first = open(['local/echo', 'local/fast']);
      first.say({ type: 'ready' });
      first.say({ type: 'setBlind', isBlind: true });
      first.say({ type: 'compare', text: 'Hello', attachments: [] });
      await eventually('the vote', () => shownBy(first)?.blindStage === 'voting');
      await first.history.flush();
      const comparison = (await storedIn(first.comparison.id, first.store)) ?? assert.fail();
      const other = processMark().replace(/^\d+/, String(process.ppid));
      const { withheld } = here.window({ mark: other });
      const unvoted = await storedWith(first.store, withheld).unvotedTurn(comparison);
      const second = open([], comparison, null, undefined, unvoted, other);
      second.say({ type: 'ready' });
      await eventually('the vote in the second window', () => shownBy(second)?.blindStage === 'voting');
      await second.withheld.settled();
      const turnId = comparison.turns.at(-1)?.id ?? '';
      const ids = new Set(first.history.own().map(({ id }) => id));
      assert.equal(ids.size, 2);
      const listed = async () => (await second.history.requests()).filter(({ id }) => ids.has(id)).length;
      if (end === 'close') {
        first.close();
        await first.withheld.settled();
        await second.withheld.read();
        assert.deepEqual([await listed(), shownBy(second)?.blindStage], [0, 'voting']);
        second.say({ type: 'vote', turnId, choice: 'equal' });
      } else first.say({ type: 'vote', turnId, choice: 'equal' });
      await eventually('the names', () => shownBy(second)?.blindStage === 'off');
      await eventually('both requests in the list', async () => (await listed()) === 2);
      assert.deepEqual(
        shownBy(second)
          ?.columns.map(({ model }) => model)
          .toSorted(),
        ['local/echo', 'local/fast'],
      );
    }
  });

  it('keeps its letters when a model is added before the vote, and offers none for a reply that failed', async () => {
    const { comparison, posted, say } = open(['local/echo', 'local/fault-error-later', 'local/fast']);
    say({ type: 'ready' });
    say({ type: 'setBlind', isBlind: true });
    say({ type: 'compare', text: 'Hello', attachments: [] });
    const shown = () => posted.findLast((message) => message.type === 'snapshot')?.snapshot;
    await eventually('the vote', () => shown()?.blindStage === 'voting');
    const failed = comparison.replies.find(({ state }) => state === 'failed');
    assert.ok(failed !== undefined && failed.text !== '', 'no part of the failed reply arrived');
    const replies = shown()?.replies ?? [];
    assert.deepEqual(
      replies.filter(({ canWin }) => canWin !== true).map(({ columnId, state }) => [columnId, state]),
      [[failed.columnId, 'failed']],
    );
    assert.ok(!JSON.stringify(shown()?.replies).includes('local/'), 'a model is named');
    const letters = shown()?.columns.map(({ id, model }) => `${id} ${model}`) ?? [];
    for (const model of ['kestrel/a', 'kestrel/b', 'kestrel/c']) picked.push(model);
    for (const count of [4, 5, 6]) {
      say({ type: 'chooseModel' });
      await eventually('the new column', () => comparison.columns.length === count);
    }
    const now = posted.findLast((message) => message.type === 'columnsChanged')?.columns ?? [];
    assert.equal(now.length, 6);
    assert.deepEqual(
      now.slice(0, 3).map(({ id, model }) => `${id} ${model}`),
      letters,
    );
  });

  it('names the columns after a vote between parameters of one model, which counts in no ranking', async () => {
    const { comparison, posted, say } = open(['local/echo', 'local/echo']);
    const earlier = votes.length;
    say({ type: 'ready' });
    say({ type: 'columnOptionsChanged', columnId: 'c1', options: { temperature: 1 } });
    say({ type: 'setBlind', isBlind: true });
    say({ type: 'compare', text: 'Hello', attachments: [] });
    const shown = () => posted.findLast((message) => message.type === 'snapshot')?.snapshot;
    await eventually('the vote', () => shown()?.blindStage === 'voting');
    say({ type: 'vote', turnId: comparison.turns.at(-1)?.id ?? '', choice: { columnId: 'c1' } });
    await eventually('the names', () => shown()?.blindStage === 'off');
    assert.deepEqual(
      shown()?.columns.map(({ model, own }) => [model, own]),
      [
        ['local/echo', undefined],
        ['local/echo', 'Temperature 1'],
      ],
    );
    assert.equal(votes.length, earlier);
  });

  it('selects another model in the column whose question was refused, and adds no column', async () => {
    const { comparison, posted, say } = open(['local/fast', 'local/echo', 'local/echo']);
    say({ type: 'ready' });
    await eventually('the snapshot', () => posted.some(({ type }) => type === 'snapshot'));
    const sent = service.asked().length;
    say({ type: 'compare', text: 'Hello', attachments: [] });
    const refused = () => posted.findLast((message) => message.type === 'askRefused')?.problem;
    await eventually('the refusal', () => refused() !== undefined);
    assert.deepEqual(
      [refused()?.title, refused()?.actions.map(({ kind }) => kind), service.asked().length - sent],
      ['The same model twice', ['selectModel'], 0],
    );
    picked.push('local/writer');
    say({ type: 'runAction', action: 'selectModel' });
    await eventually('the other model', () => comparison.columns.some(({ model }) => model === 'local/writer'));
    assert.deepEqual(
      comparison.columns.map(({ id, model }) => `${id} ${model}`),
      ['c0 local/fast', 'c1 local/echo', 'c2 local/writer'],
    );
  });

  it('is in one tab, even if VS Code restores its old one after it was opened again, or meanwhile', async () => {
    const { comparison, deps } = open(['local/echo', 'local/fast']);
    const { columns } = comparison;
    const { extensionUri } = vscode.extensions.getExtension('parlance.parlance') ?? assert.fail();
    let duringRestore = (): void => undefined;
    const editors = new CompareEditors(
      { extensionUri },
      deps,
      async (id) => {
        const restored = { comparison: new Comparison(id, columns), unvoted: undefined };
        duringRestore();
        return restored;
      },
      () => undefined,
    );
    cleanups.push(() => editors.dispose());
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const restore = async (id: string) => {
      const old = vscode.window.createWebviewPanel('parlance.test', 'Old tab', vscode.ViewColumn.Active);
      await eventually('the old tab in front', () =>
        tabs().some(({ label, isActive }) => label === 'Old tab' && isActive),
      );
      await editors.deserializeWebviewPanel(old, { comparisonId: id });
      return old;
    };
    const other = new Comparison(crypto.randomUUID(), columns);
    const first = editors.open(comparison);
    await restore(comparison.id);
    duringRestore = () => editors.open(other);
    await restore(other.id);
    assert.deepEqual(
      editors.pages().map((page) => page.comparison),
      [comparison, other],
    );
    assert.equal(editors.find(comparison.id), first);
    await eventually('no old tab', () => !tabs().some(({ label }) => label === 'Old tab'));
    assert.equal(editors.active?.comparison, other);
    for (const { id } of [comparison, other]) await editors.close(id);
  });

  it('is opened once if its command is run twice before it shows, and again after that', async () => {
    const compare = () => vscode.commands.executeCommand('parlance.compareModels', { models: ['local/a', 'local/b'] });
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await Promise.all([compare(), compare()]);
    await eventually('its tab', () => tabs().length > 0);
    await compare();
    await eventually('another tab', () => tabs().length > 1);
    assert.equal(tabs().length, 2);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it("says why a question can't be sent, and returns its text, if that was found before the page was open", async () => {
    const { posted, say } = open(['local/fast', 'local/echo', 'local/echo']);
    say({ type: 'compare', text: 'Hello', attachments: [] });
    await new Promise(setImmediate);
    say({ type: 'ready' });
    await eventually('the refusal', () => posted.some(({ type }) => type === 'askRefused'));
    assert.deepEqual(
      posted.flatMap((message) => (message.type === 'askRefused' ? [message.text] : [])),
      ['Hello'],
    );
  });

  it('asks above the amount in the settings, and keeps the text if the user declines', async () => {
    const { posted, say, comparison } = open(['local/echo', 'local/fast'], undefined, 0);
    say({ type: 'ready' });
    await eventually('the snapshot', () => posted.some(({ type }) => type === 'snapshot'));
    const sent = service.asked().length;
    const refused = () => posted.find((message) => message.type === 'askRefused');
    const no = await answering(undefined, async () => {
      say({ type: 'compare', text: 'Hello', attachments: [] });
      await eventually('the refusal', () => refused() !== undefined);
    });
    assert.deepEqual(no.asked, ['Send 2 requests?']);
    assert.deepEqual([refused()?.text, refused()?.problem], ['Hello', undefined]);
    assert.deepEqual([service.asked().length, comparison.turns.length], [sent, 0]);
    await answering('Send', async () => {
      say({ type: 'compare', text: 'Hello', attachments: [] });
      await eventually('both replies', () => comparison.replies.filter(({ end }) => end !== undefined).length === 2);
    });
    assert.equal(service.asked().length, sent + 2);
    const one = await answering(undefined, async () => {
      posted.length = 0;
      say({ type: 'askColumn', columnId: 'c0' });
      await eventually('the refusal of one', () => refused() !== undefined);
    });
    assert.deepEqual([one.asked, service.asked().length], [['Send 1 request?'], sent + 2]);
    assert.match(one.details.join(), /^It takes ≈ [\d.]+k? tokens and costs ≈ [\d.]+ if the reply/);
  });

  it('keeps its own parameters across a reload, but not those from the settings', async () => {
    const first = open(['local/echo', 'local/fast']);
    first.say({ type: 'ready' });
    const options = { systemPrompt: 'Be short.', temperature: 0.2 };
    first.say({ type: 'optionsChanged', conversationId: first.comparison.id, options });
    first.say({ type: 'compare', text: 'Hello', attachments: [] });
    const ended = () => first.comparison.replies.filter(({ end }) => end !== undefined).length === 2;
    await eventually('both replies', ended);
    const comparison = await storedIn(first.comparison.id, first.store);
    const { posted, say } = open([], comparison);
    say({ type: 'ready' });
    const snapshot = () => posted.find((message) => message.type === 'snapshot');
    await eventually('the snapshot', () => snapshot() !== undefined);
    assert.deepEqual(snapshot()?.snapshot.setup.options, options);
    for (const { replies } of [first.comparison, comparison ?? assert.fail()]) {
      assert.deepEqual(
        replies.map(({ parameters }) => parameters),
        [options, options],
      );
    }
  });

  it('asks a model that a problem offered, but no other that a page names', async () => {
    const { comparison, posted, say } = open(['local/gone', 'local/echo']);
    say({ type: 'ready' });
    await eventually('the snapshot', () => posted.some(({ type }) => type === 'snapshot'));
    say({ type: 'compare', text: 'Hello', attachments: [] });
    const ended = (count: number) => comparison.replies.filter(({ end }) => end !== undefined).length === count;
    await eventually('both replies', () => ended(2));
    const failed = comparison.replies.find(({ columnId }) => columnId === 'c0');
    assert.equal(failed?.end?.failure?.kind, 'modelNotFound');
    const use = (replyId: string | undefined, model: string | undefined) =>
      say({
        type: 'runAction',
        action: 'useModel',
        ...(replyId !== undefined && { replyId }),
        ...(model !== undefined && { model }),
      });
    const fine = comparison.replies.find(({ columnId }) => columnId === 'c1');
    const sent = service.asked().length;
    // Listed, but not offered; offered, but for another reply; no model at all.
    use(failed?.id, 'local/fast');
    use(fine?.id, 'local/echo');
    use(undefined, 'local/echo');
    use(failed?.id, undefined);
    assert.deepEqual(
      comparison.columns.map(({ model }) => model),
      ['local/gone', 'local/echo'],
    );
    use(failed?.id, 'local/echo');
    await eventually('the offered model', () => service.asked().length > sent);
    assert.deepEqual(
      comparison.columns.map(({ model }) => model),
      ['local/echo', 'local/echo'],
    );
    await eventually('its reply', () => comparison.replies.every(({ end }) => end !== undefined));
    assert.deepEqual(
      service
        .asked()
        .slice(sent)
        .map(({ model }) => model),
      ['local/echo'],
    );
  });
});

describe('A reply that is applied from a comparison', () => {
  it('proposes the code of all of its blocks, under a name of the model that people know', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'typescript', content: 'let a;\n' });
    const editor = await vscode.window.showTextDocument(document);
    const proposed: string[][] = [];
    const propose = (title: string, code: string): Promise<void> => {
      proposed.push([title, code]);
      return Promise.resolve();
    };
    const one = 'Here:\n```ts\nlet b;\n```';
    await applyReply({ text: one, model: 'other::maker/model' }, editor, propose);
    await applyReply({ text: `${one}\nAnd:\n\`\`\`ts\nlet c;\n\`\`\``, model: 'maker/model' }, editor, propose);
    assert.deepEqual(proposed, [
      [modelLabel('other::maker/model'), one],
      ['maker/model', 'let b;\n\nlet c;'],
    ]);
    assert.doesNotMatch(proposed[0]?.[0] ?? '', /::/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
