import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import {
  type DiagnosticFacts,
  diagnosticReport,
  reducedAddress,
  type ReportedService,
} from '../../core/diagnosticReport.ts';
import { emptyEntry, type ServiceEntry } from '../../core/services/serviceEntry.ts';
import type { LoggedRequest } from '../../core/requests/requestLog.ts';
import { commandIds, documentSchemes } from '../settings/contributions.ts';
import { settings as contributed } from '../settings/settingList.ts';
import type { Service } from '../service/service.ts';
import type { Services } from '../service/services.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Log } from '../platform/log.ts';
import type { ModelSources } from '../models/modelSources.ts';
import type { Notifier } from '../platform/notify.ts';
import type { Redactor } from '../platform/redactor.ts';

export interface DiagnosticsDeps {
  readonly commands: CommandHandlers;
  readonly services: Pick<Services, 'all' | 'first' | 'faults'>;
  readonly models: Pick<ModelSources, 'catalog'>;
  readonly history: { requests(): Promise<Iterable<LoggedRequest>> };
  readonly redactor: Redactor;
  readonly log: Pick<Log, 'error' | 'latestErrors'>;
  readonly notifier: Notifier;
}

const uri = vscode.Uri.from({ scheme: documentSchemes.diagnostics, path: '/Parlance Diagnostics.md' });

/** A report for an issue: shown first, in a read-only document, and only copied from there. */
export function registerDiagnostics(deps: DiagnosticsDeps): vscode.TextDocumentContentProvider {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  let report = '';
  deps.commands.handle(commandIds.showDiagnostics, async () => {
    report = await written(deps);
    changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
    const text = vscode.l10n.t('Nothing has been copied or sent. Read the report, then copy it.');
    const copy = async () => vscode.env.clipboard.writeText(report);
    deps.notifier.info(text, [{ label: vscode.l10n.t('Copy Report'), run: copy }]);
  });
  return {
    onDidChange: changed.event,
    // VS Code asks for a restored tab on its own.
    provideTextDocumentContent: async () => (report === '' ? (report = await written(deps)) : report),
  };
}

async function written({ services, models, history, redactor, log }: DiagnosticsDeps): Promise<string> {
  await models.catalog.load();
  const failures = await failedRequests({ history, log });
  const facts: DiagnosticFacts = {
    versions: { ...versions(), Proxy: proxy() },
    services: await Promise.all(services.all.map((one) => reported(one, models))),
    settings: {
      ...changedSettings((model) => models.catalog.index.find(model) !== undefined),
      ...Object.fromEntries(services.all.flatMap(({ entry }, at) => changedFields(entry.value, at + 1))),
    },
    timeText: (at) => new Date(at).toISOString(),
    failures,
    errors: log.latestErrors,
  };
  return redactor.clean(diagnosticReport(facts));
}

/** Undefined if the history can't be read, which is a fault to report too. */
async function failedRequests({
  history,
  log,
}: Pick<DiagnosticsDeps, 'history' | 'log'>): Promise<readonly LoggedRequest[] | undefined> {
  try {
    return [...(await history.requests())].filter(({ end }) => end?.outcome === 'failed');
  } catch (error) {
    log.error('The request log', error);
    return undefined;
  }
}

function versions(): Readonly<Record<string, string>> {
  const packages = vscode.extensions.getExtension('parlance.parlance');
  const { version = 'unknown' }: { readonly version?: string } = packages?.packageJSON ?? {};
  const { appName, appHost, uiKind, remoteName, language } = vscode.env;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const schemes = [...new Set(folders.map((folder) => folder.uri.scheme))];
  return {
    Parlance: version,
    'VS Code': `${vscode.version} (${appName}, ${appHost}, ${uiKind === vscode.UIKind.Web ? 'in a browser' : 'desktop'})`,
    'Runs in': `${packages?.extensionKind === vscode.ExtensionKind.UI ? 'the window' : 'the workspace'}, remote: ${remoteName ?? 'no'}`,
    Machine: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
    Language: language,
    Folders: `${folders.length}${schemes.length > 0 ? ` (${schemes.join(', ')})` : ''}, trusted: ${vscode.workspace.isTrusted ? 'yes' : 'no'}`,
  };
}

async function reported(service: Service, { catalog }: Pick<ModelSources, 'catalog'>): Promise<ReportedService> {
  const { baseUrl, nativeUrl, fallbackBaseUrl } = service.entry.value;
  const list = catalog.of(service.id);
  return {
    id: service.id,
    facts: {
      'Base URL': reducedAddress(baseUrl),
      'Native URL': nativeUrl === '' ? 'derived' : reducedAddress(nativeUrl),
      'Fallback base URL': reducedAddress(fallbackBaseUrl),
      'Ready to ask': await readiness(service),
      'Models in the list': `${list?.index.models.length ?? 0}${catalogAge(list?.fetchedAt)}`,
    },
  };
}

/** What is missing, if anything. Sends nothing. */
async function readiness({ endpoint }: Service): Promise<string> {
  try {
    await endpoint.current();
    return 'yes';
  } catch (error) {
    return error instanceof ApiError && error.failure.kind === 'setup' ? `no, ${error.failure.missing}` : 'no';
  }
}

function catalogAge(fetchedAt: number | undefined): string {
  return fetchedAt === undefined ? ', never fetched' : `, fetched ${new Date(fetchedAt).toISOString()}`;
}

function proxy(): string {
  const http = vscode.workspace.getConfiguration('http');
  const own = (http.get<string>('proxy') ?? '') === '' ? 'none in the settings' : 'one in the settings';
  const inherited = Object.entries(process.env).some(([name, value]) => /^https?_proxy$/i.test(name) && value !== '');
  return `${own}, ${inherited ? 'one' : 'none'} in the environment, support ${http.get<string>('proxySupport')}`;
}

/** Numbers, switches, and choices as they are. For texts, which could contain anything, only that they're set. */
function changedSettings(isListed: (model: ModelRef) => boolean): Readonly<Record<string, string>> {
  const changed: Record<string, string> = {};
  for (const { id, default: initial } of Object.values(contributed)) {
    const { globalValue, workspaceValue, workspaceFolderValue } =
      vscode.workspace.getConfiguration().inspect<unknown>(id) ?? {};
    const places = { user: globalValue, workspace: workspaceValue, folder: workspaceFolderValue };
    const values = Object.entries(places).flatMap(([place, value]) =>
      value === undefined || value === initial ? [] : [`${told(id, value, isListed)} (${place})`],
    );
    if (values.length > 0) changed[id] = values.join('; ');
  }
  return changed;
}

function told(id: string, value: unknown, isListed: (model: ModelRef) => boolean): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (id === contributed.services.id) return Array.isArray(value) ? `${value.length}` : 'not a list';
  if (typeof value !== 'string') return 'not of its kind';
  if (id === contributed.model.id) return isListed(value) ? value : 'a model that is not in the list';
  // Choices are single words from our own list.
  const { replyLocation, modelsInVSCodeChat } = contributed;
  const choices: readonly string[] = [replyLocation, modelsInVSCodeChat].map((one) => one.id);
  if (choices.includes(id) && /^[a-zA-Z]{1,12}$/.test(value)) return value;
  return `set, ${value.length} characters`;
}

/** A service's fields that differ from the defaults: choices as they are, and for the others only that they're set. */
function changedFields(entry: ServiceEntry, place: number): readonly (readonly [string, string])[] {
  const name = place === 1 ? 'service' : `service ${place}`;
  return Object.entries(entry).flatMap(([field, value]: [string, unknown]) => {
    const isDefault = JSON.stringify(value) === JSON.stringify(Reflect.get(emptyEntry, field));
    return isDefault ? [] : [[`${name}.${field}`, fieldText(field, value)] as const];
  });
}

function fieldText(field: string, value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return `${Object.keys(Object(value)).length}`;
  return ['chatApi', 'imageApi', 'mediaApi'].includes(field) ? value : `set, ${value.length} characters`;
}
