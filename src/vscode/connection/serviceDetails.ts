import * as vscode from 'vscode';
import { capabilities, type Capability } from '../../api/service/serviceFacts.ts';
import { abilityFor, supportOf } from '../../core/services/supportOf.ts';
import { serviceName } from '../../words/modelLabel.ts';
import { DisposableList } from '../platform/disposables.ts';
import { tabIcon } from '../platform/pages/tabIcon.ts';
import { writeStaticPage } from '../platform/pages/writeStaticPage.ts';
import type { Service } from '../service/service.ts';
import type { ServiceFactsFiles } from '../service/serviceFactsFiles.ts';
import type { Services } from '../service/services.ts';
import type { ModelSources } from '../models/modelSources.ts';
import { panelTypes } from '../settings/contributions.ts';
import { serviceDetailsHtml, type SupportRow } from './serviceDetailsHtml.ts';

export interface ServiceDetailsDeps {
  readonly extensionUri: vscode.Uri;
  readonly services: Pick<Services, 'find' | 'onDidChange'>;
  readonly catalog: ModelSources['catalog'];
  readonly facts: Pick<ServiceFactsFiles, 'load' | 'onDidChange'>;
  readonly onError: (error: unknown) => void;
}

/** A tab with what is known about one service. It has no scripts: its actions are in its title bar. */
export class ServiceDetails implements vscode.Disposable {
  readonly #deps: ServiceDetailsDeps;
  #panel: vscode.WebviewPanel | undefined;
  #service = '';
  #turn = 0;

  constructor(deps: ServiceDetailsDeps) {
    this.#deps = deps;
  }

  /** ID of the service whose tab has the focus. */
  get activeService(): string | undefined {
    return this.#panel?.active === true ? this.#service : undefined;
  }

  async show(id: string): Promise<void> {
    this.#service = id;
    this.#panel ??= this.#open();
    this.#panel.reveal(undefined, false);
    // The list on disk shows what models can do.
    await this.#deps.catalog.load();
    await this.#draw();
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #open(): vscode.WebviewPanel {
    const { catalog, extensionUri, facts, services, onError } = this.#deps;
    const panel = vscode.window.createWebviewPanel(panelTypes.serviceDetails, '', vscode.ViewColumn.Active, {
      enableScripts: false,
      enableForms: false,
      enableCommandUris: false,
      enableFindWidget: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')],
    });
    panel.iconPath = tabIcon(extensionUri, 'serviceDetails');
    const own = new DisposableList();
    const draw = () => void this.#draw().catch(onError);
    own.add({ dispose: catalog.onDidChange(draw) });
    own.add({ dispose: facts.onDidChange(draw) });
    own.add(services.onDidChange(draw));
    panel.onDidDispose(() => {
      own.dispose();
      this.#panel = undefined;
    });
    return panel;
  }

  async #draw(): Promise<void> {
    const { services, catalog, extensionUri } = this.#deps;
    this.#turn += 1;
    const turn = this.#turn;
    const service = services.find(this.#service);
    // It was removed, with everything known about it.
    if (service === undefined) return this.#panel?.dispose();
    const [support, connection] = await Promise.all([this.#support(service), service.endpoint.connection(undefined)]);
    const panel = this.#panel;
    if (panel === undefined || turn !== this.#turn) return;
    panel.title = serviceName(service.id);
    const list = catalog.of(service.id);
    const addresses = service.endpoint.addresses();
    const details = {
      name: serviceName(service.id),
      baseUrl: 'kind' in addresses ? '' : addresses.baseUrl.href,
      isKeyMissing: connection.state === 'needsApiKey',
      modelCount: list?.index.models.length ?? 0,
      ...(list?.fetchedAt !== undefined && { fetchedAt: list.fetchedAt }),
      support,
    };
    writeStaticPage(panel.webview, extensionUri, (page) => serviceDetailsHtml({ ...page, ...details }));
  }

  async #support({ id, entry, endpoint }: Service): Promise<readonly SupportRow[]> {
    const addresses = endpoint.addresses();
    const facts = 'kind' in addresses ? { paths: {} } : await this.#deps.facts.load(addresses.baseUrl.href);
    const models = this.#deps.catalog
      .of(id)
      ?.index.models.filter(({ isListed, kind }) => isListed && kind !== 'unknown');
    const count = (capability: Capability): number | undefined => {
      const ability = abilityFor(capability);
      if (ability === undefined || models === undefined || models.length === 0) return undefined;
      return models.filter(({ abilities }) => abilities.has(ability)).length;
    };
    return capabilities.map((capability) => {
      const listed = count(capability);
      return {
        ...supportOf(facts, entry.value, capability, Date.now()),
        ...(listed !== undefined && { models: listed }),
      };
    });
  }
}
