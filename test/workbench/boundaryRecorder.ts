import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resultsFolder } from './folders.ts';
import { pageProtocols } from './pageProtocols.ts';
import { pickerOf } from './pickers.ts';
import { type RpcMessage, RpcReader } from './rpcReader.ts';
import type { Route } from './watchRoutes.ts';

/** What a run of one test file did, as stored under `test-results/boundaries/`. */
export interface BoundaryRecord {
  /** What crossed a boundary, for example `command parlance.newChat`. */
  readonly crossed: readonly string[];
  /** What the user was offered: buttons of notifications and of messages in the chat, and choices in pickers. */
  readonly offered: readonly string[];
}

/** A web socket of the page. */
interface FrameSource {
  on(event: 'framesent' | 'framereceived', take: (frame: { payload: string | Buffer }) => void): unknown;
}

type Side = 'window' | 'host';

/** The kinds of pages by their views. */
const kindsByView = new Map(
  pageProtocols.flatMap(({ kind, views }) => views.map((view): [string, string] => [view, kind])),
);

/**
 * Observes from outside what VS Code's window and the extension host send each other, without Parlance's knowledge.
 * Commands, messages of pages, and answers to questions are all sent this way.
 */
export class BoundaryRecorder {
  readonly #crossed = new Set<string>();
  readonly #offered = new Set<string>();
  #faults: string[] = [];
  /** By the handle of their webview. */
  readonly #pages = new Map<string, string>();
  /** What a call of the host offers, by the call's ID: its response contains the selection. */
  readonly #questions = new Map<number, (answer: unknown) => void>();
  /** Choices of a picker's rows, by the picker and the row's handle. */
  readonly #rows = new Map<unknown, Map<unknown, string>>();
  /** By their picker: the row that Enter would accept, and those that are checked or were clicked. */
  readonly #active = new Map<unknown, readonly unknown[]>();
  readonly #selected = new Map<unknown, readonly unknown[]>();

  listen(page: { on(event: 'websocket', follow: (socket: FrameSource) => void): unknown }): void {
    page.on('websocket', (socket) => this.#follow(socket));
  }

  /** Whether this crossed a boundary, for example `message of chat to the host ask`. */
  has(crossing: string): boolean {
    return this.#crossed.has(crossing);
  }

  tookRoute(route: Route | 'open dialog' | 'save dialog'): void {
    this.#crossed.add(`route ${route}`);
  }

  /** @returns what went wrong since the last call. */
  takeFaults(): readonly string[] {
    const faults = this.#faults;
    this.#faults = [];
    return faults;
  }

  /** @param results the folder for the results of a run */
  async save(name: string, results = resultsFolder): Promise<void> {
    const folder = join(results, 'boundaries');
    await mkdir(folder, { recursive: true });
    const record: BoundaryRecord = { crossed: [...this.#crossed].toSorted(), offered: [...this.#offered].toSorted() };
    await writeFile(join(folder, `${name.replaceAll(/[^\w.-]+/g, '-')}.json`), JSON.stringify(record, undefined, 2));
  }

  #follow(socket: FrameSource): void {
    const ofWindow = new RpcReader();
    const ofHost = new RpcReader();
    const take = (reader: RpcReader, side: Side) => (frame: { payload: string | Buffer }) => {
      if (typeof frame.payload === 'string') return;
      for (const message of reader.push(frame.payload)) this.#take(message, side);
    };
    socket.on('framesent', take(ofWindow, 'window'));
    socket.on('framereceived', take(ofHost, 'host'));
  }

  #take(message: RpcMessage, side: Side): void {
    if (message.kind === 'call') {
      const handler = side === 'window' ? this.#ofWindow[message.method] : this.#ofHost[message.method];
      handler?.(message.args, message.id);
    } else if (side === 'window') {
      this.#questions.get(message.id)?.(message.value);
      this.#questions.delete(message.id);
    }
  }

  readonly #ofWindow: Readonly<Record<string, (args: readonly unknown[]) => void>> = {
    $executeContributedCommand: ([command]) => {
      if (typeof command === 'string' && command.startsWith('parlance.')) this.#crossed.add(`command ${command}`);
    },
    $resolveWebviewView: ([handle, view]) => this.#name(handle, view),
    $deserializeWebviewPanel: ([handle, view]) => this.#name(handle, view),
    $onMessage: ([handle, json]) => this.#said(handle, json, 'to the host'),
    $onDidChangeActive: ([picker, rows]) => this.#active.set(picker, asList(rows)),
    $onDidChangeSelection: ([picker, rows]) => this.#selected.set(picker, asList(rows)),
    $onDidAccept: ([picker]) => {
      const selected = this.#selected.get(picker) ?? [];
      for (const row of selected.length > 0 ? selected : (this.#active.get(picker) ?? []))
        this.#took(this.#rows.get(picker)?.get(row));
    },
  };

  readonly #ofHost: Readonly<Record<string, (args: readonly unknown[], id: number) => void>> = {
    $createWebviewPanel: (args) => this.#name(args[1], args[2]),
    $postMessage: ([handle, json]) => this.#said(handle, json, 'to the page'),
    $showMessage: ([, , , commands], id) => {
      const titles = new Map(asList(commands).map((each) => [Object(each).handle, `button ${Object(each).title}`]));
      for (const title of titles.values()) this.#offered.add(title);
      this.#questions.set(id, (handle) => this.#took(titles.get(handle)));
    },
    $setItems: ([picker, items]) => this.#offer(picker, items),
    $createOrUpdate: ([state]) => {
      this.#opened(Object(state).title, Object(state).placeholder);
      this.#offer(Object(state).id, Object(state).items);
    },
    $show: ([picker, options], id) => {
      this.#opened(Object(options).title, Object(options).placeHolder);
      this.#questions.set(id, (row) => {
        for (const each of Array.isArray(row) ? row : [row]) this.#took(this.#rows.get(picker)?.get(each));
      });
    },
    $showOpenDialog: (_, id) => this.#questions.set(id, (files) => files && this.tookRoute('open dialog')),
    $showSaveDialog: (_, id) => this.#questions.set(id, (file) => file && this.tookRoute('save dialog')),
    $onUnexpectedError: ([error]) => void this.#faults.push(`extension host: ${wordsOf(error)}`),
    $onExtensionRuntimeError: ([extension, error]) =>
      void this.#faults.push(`extension host, ${JSON.stringify(extension)}: ${wordsOf(error)}`),
  };

  #name(handle: unknown, view: unknown): void {
    const kind = typeof view === 'string' ? kindsByView.get(view) : undefined;
    if (kind !== undefined) this.#pages.set(String(handle), kind);
  }

  #said(handle: unknown, json: unknown, way: 'to the host' | 'to the page'): void {
    const kind = this.#pages.get(String(handle));
    if (kind === undefined || typeof json !== 'string') return;
    const message = Object(JSON.parse(json));
    this.#crossed.add(`message of ${kind} ${way} ${String(message.type)}`);
    // Which of several buttons sent it. Error cards are the same on every page.
    if (typeof message.act === 'string') this.#crossed.add(`act of ${kind} ${message.act}`);
    if (message.type === 'runAction') this.#crossed.add(`action of a card ${String(message.action)}`);
    // A message in the chat, in place of a notification.
    if (message.type === 'endNote' && message.button !== undefined) this.#took(`button ${message.button}`);
    for (const note of asList(message.notes ?? Object(message.snapshot).notes))
      for (const button of asList(Object(note).buttons)) this.#offered.add(`button ${String(button)}`);
  }

  /** @param words of a picker: its title and its placeholder, if it has them */
  #opened(...words: readonly unknown[]): void {
    for (const each of words) {
      const picker = typeof each === 'string' ? pickerOf(each) : undefined;
      if (picker !== undefined) this.#crossed.add(`picker ${picker}`);
    }
  }

  #offer(picker: unknown, items: unknown): void {
    if (!Array.isArray(items)) return;
    const rows = new Map<unknown, string>();
    for (const item of items)
      if (Object(item).type !== 'separator') rows.set(Object(item).handle, `choice ${plain(Object(item).label)}`);
    for (const label of rows.values()) this.#offered.add(label);
    this.#rows.set(picker, rows);
  }

  #took(what: string | undefined): void {
    if (what !== undefined) this.#crossed.add(what);
  }
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A label without its icons. */
function plain(label: unknown): string {
  return String(label)
    .replaceAll(/\$\([\w~-]+\)/g, '')
    .trim();
}

function wordsOf(error: unknown): string {
  const { message, stack } = Object(error);
  return String(stack ?? message ?? JSON.stringify(error));
}
