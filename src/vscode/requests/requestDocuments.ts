import * as vscode from 'vscode';
import { keyVariableOf } from '../../core/requests/code/codeRequest.ts';
import { requestOperations } from '../../core/requests/requestOperations.ts';
import { type LoggedRequest, serviceOf } from '../../core/requests/requestLog.ts';
import { requestName } from '../../core/requests/requestWords.ts';
import { comparedText, receivedParts } from '../../core/requests/sentTurns.ts';
import { documentSchemes } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { RequestHistory } from './requestHistory.ts';

/** The documents of a request: what was sent, what was received, and only the text of a reply. */
export type RequestPart = 'request' | 'response' | 'answer';

/** Read-only documents of recorded requests. For a running one, the document is updated when it ends. */
export class RequestDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #history: RequestHistory;
  readonly #firstService: () => string;
  readonly #own = new DisposableList();
  readonly #changed = this.#own.add(new vscode.EventEmitter<vscode.Uri>());
  readonly #running = new Map<string, vscode.Uri>();

  readonly onDidChange = this.#changed.event;

  /** @param firstService ID of the service that is first in the list */
  constructor(history: RequestHistory, firstService: () => string) {
    this.#history = history;
    this.#firstService = firstService;
    this.#own.add(history.onDidChangeRequests(() => this.#tellEnded()));
  }

  uri(request: LoggedRequest, part: RequestPart): vscode.Uri {
    const time = new Date(request.at).toTimeString().slice(0, 8).replaceAll(':', '.');
    const name = requestName(request)
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .slice(0, 60);
    const title = part === 'answer' ? `${name} ${time}.md` : `${name} ${time} ${part}.json`;
    return vscode.Uri.from({ scheme: documentSchemes.request, path: `/${request.id}/${title}`, query: part });
  }

  async open(request: LoggedRequest, part: RequestPart): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.uri(request, part));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** The text of two replies as a diff. */
  async showDifferences(left: LoggedRequest, right: LoggedRequest): Promise<void> {
    const title = vscode.l10n.t('{0} ↔ {1}', requestName(left), requestName(right));
    await vscode.commands.executeCommand('vscode.diff', this.uri(left, 'answer'), this.uri(right, 'answer'), title);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const [, id = ''] = uri.path.split('/');
    // A restored window has read nothing yet.
    await this.#history.requests();
    const request = this.#history.find(id);
    if (request === undefined) return vscode.l10n.t("This request was deleted or hasn't been loaded yet.");
    if (request.end === undefined) this.#running.set(uri.toString(), uri);
    switch (uri.query) {
      case 'request':
        return this.#request(request);
      case 'answer':
        return (await this.answer(request)) ?? '';
      default:
        return this.#response(request);
    }
  }

  /** The text and the tool calls of a reply, without its reasoning. */
  async answer(request: LoggedRequest): Promise<string | undefined> {
    const { response } = await this.#history.bodies(request.id);
    return response === undefined ? undefined : comparedText(receivedParts(response));
  }

  dispose(): void {
    this.#own.dispose();
  }

  async #request(request: LoggedRequest): Promise<string> {
    const sent = (await this.#history.bodies(request.id)).request;
    if (sent === undefined) return json({ ...notKept(), model: request.model });
    const { method, url, body, isKeyless } = sent;
    const keyVariable = keyVariableOf(serviceOf(request), this.#firstService());
    return json({
      method,
      url,
      headers: {
        ...(isKeyless !== true && { authorization: `Bearer $${keyVariable}` }),
        ...(method === 'POST' && {
          'content-type':
            requestOperations[request.operation].sends === 'form' ? 'multipart/form-data' : 'application/json',
        }),
      },
      ...(method === 'POST' && (body === undefined ? notKept() : { body })),
    });
  }

  async #response(request: LoggedRequest): Promise<string> {
    const { response } = await this.#history.bodies(request.id);
    const { end } = request;
    const { at: endedAt, outcome: _outcome, metrics, failure, ...facts } = end ?? {};
    return json({
      state: this.#history.stateOf(request),
      model: request.model,
      started: new Date(request.at).toISOString(),
      ...(endedAt !== undefined && { ended: new Date(endedAt).toISOString() }),
      ...facts,
      ...(failure !== undefined && response === undefined && { error: failure }),
      ...(response !== undefined && { body: response }),
      ...(response === undefined && end !== undefined && notKept()),
      ...(metrics !== undefined && { metrics }),
    });
  }

  #tellEnded(): void {
    for (const [key, uri] of this.#running) {
      const [, id = ''] = uri.path.split('/');
      if (this.#history.find(id)?.end === undefined) continue;
      this.#running.delete(key);
      this.#changed.fire(uri);
    }
  }
}

function notKept(): object {
  return {
    note: vscode.l10n.t(
      'No content is saved: there was none, parlance.requests.saveContent was off, or the request history was full.',
    ),
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
