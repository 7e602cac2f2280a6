import * as vscode from 'vscode';
import { capabilities, type Capability } from '../../api/service/serviceFacts.ts';
import { capabilityText } from '../../core/services/capabilityText.ts';
import { hasAcceptedImages } from '../../api/service/imageFacts.ts';
import type { ModelAbility } from '../../core/models/modelAbilities.ts';
import type { AllMarks } from '../../core/models/allMarks.ts';
import { fittingModel } from '../../core/models/fittingModel.ts';
import type { ModelCatalogs } from '../../core/models/modelCatalogs.ts';
import { abilityFor, type Support, supportOf } from '../../core/services/supportOf.ts';
import { reasonText, works } from '../../core/services/supportText.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { serviceName } from '../../words/modelLabel.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { commandIds } from '../settings/contributions.ts';
import type { Service } from './service.ts';
import type { ServiceFactsFiles } from './serviceFactsFiles.ts';
import type { Services } from './services.ts';

export interface ServiceSupportDeps {
  readonly services: Pick<Services, 'all' | 'find' | 'first'>;
  readonly facts: Pick<ServiceFactsFiles, 'load' | 'of'>;
  readonly catalog: Pick<ModelCatalogs, 'of' | 'load'>;
  readonly marks: Pick<AllMarks, 'load' | 'view' | 'isHidden'>;
  /** Lets the user select a model of this service. */
  readonly pickModel: (
    current: ModelRef | undefined,
    wanted: Exclude<ModelAbility, 'multimodal'>,
    only: string,
  ) => Promise<ModelRef | undefined>;
}

/** What a service can't be used for, and other services that can. */
export interface ServiceLack {
  /** ID of the service. */
  readonly service: string;
  readonly title: string;
  /** Why, and the settings that determine it. */
  readonly reason: string;
  /** Other services, the best first; each with a model, unless none is known. */
  readonly offers: readonly { readonly service: string; readonly label: string; readonly model?: ModelRef }[];
}

const mostOffers = 2;

/** What each service supports, for callers that are about to send a request. */
export class ServiceSupport {
  readonly #deps: ServiceSupportDeps;

  constructor(deps: ServiceSupportDeps) {
    this.#deps = deps;
  }

  /** @param id of the service; nothing is known about one that doesn't exist. */
  async of(id: string, capability: Capability): Promise<Support | undefined> {
    const service = this.#deps.services.find(id);
    if (service === undefined) return undefined;
    const url = baseUrlOf(service);
    const facts = url === undefined ? { paths: {} } : await this.#deps.facts.load(url);
    return supportOf(facts, service.entry.value, capability, Date.now());
  }

  /** Whether messages can't have images. Reads nothing: false until known. */
  lacksImages(id: string): boolean {
    return this.#lacks(id, 'imageInput');
  }

  /** Whether this model has accepted an image. Reads nothing: false until known. */
  hasAcceptedImages(ref: ModelRef): boolean {
    const { service: id, model } = refParts(ref);
    const service = this.#deps.services.find(id);
    const url = service && baseUrlOf(service);
    return url !== undefined && hasAcceptedImages(this.#deps.facts.of(url).imagesByModel, model, Date.now());
  }

  /** IDs of the services that are known to lack this. Reads nothing: see `load`. */
  lacking(ability: ModelAbility): ReadonlySet<string> {
    const capability = capabilityFor(ability);
    return new Set(this.#deps.services.all.flatMap(({ id }) => (this.#lacks(id, capability) ? [id] : [])));
  }

  /** Reads what was found out about each service, for those that read nothing. Never rejects. */
  async load(): Promise<void> {
    await Promise.all(this.#deps.services.all.map(({ id }) => this.of(id, 'chat')));
  }

  /**
   * What the service of this model is known to lack, why, and who has it. Undefined if the model can be used, or if too
   * little is known. Sends nothing.
   *
   * @param model without one, it's about the first service
   */
  async lackOf(ability: ModelAbility, model: ModelRef | undefined): Promise<ServiceLack | undefined> {
    const service = model === undefined || model === '' ? this.#deps.services.first.id : refParts(model).service;
    const capability = capabilityFor(ability);
    const support = await this.of(service, capability);
    if (support?.through !== 'not') return undefined;
    const { catalog, marks } = this.#deps;
    await marks.load();
    const offers = (await this.#others(capability, ability, service)).slice(0, mostOffers).map(({ id, name }) => {
      const list = catalog.of(id);
      const fitting = list && fittingModel(id, model, ability, { index: list.index, marks: marks.view });
      const other = fitting ?? list?.index.withAbility(ability).find((each) => !marks.isHidden(each.id))?.id;
      return { service: id, label: vscode.l10n.t('Use {0}', name), ...(other !== undefined && { model: other }) };
    });
    return { service, title: lackTitle(service, ability), reason: reasonText(support), offers };
  }

  /**
   * Before the user types anything: if the model's service is known to lack what will be asked of it, says so and offers
   * other services.
   *
   * @param before the model to begin with; empty if there's none yet
   * @param usual the model whose service is used in that case
   * @returns the model to use, `before` in most cases; empty if the user still has to select one at the service that
   * they selected; undefined if they cancel.
   */
  async modelFor(ability: ModelAbility, before: ModelRef, usual?: ModelRef): Promise<ModelRef | undefined> {
    const lack = await this.lackOf(ability, before === '' ? usual : before);
    if (lack === undefined) return before;
    const [show, goOn] = [vscode.l10n.t('Show Service'), vscode.l10n.t('Continue Anyway')];
    const labels = lack.offers.map(({ label }) => label);
    const answer = await plainWindow.ask(lack.title, { detail: lack.reason }, ...labels, show, goOn);
    if (answer === show) await vscode.commands.executeCommand(commandIds.showService, { service: lack.service });
    if (answer === goOn) return before;
    const chosen = lack.offers.find(({ label }) => label === answer);
    if (chosen === undefined || chosen.model !== undefined || ability !== 'chat') return chosen && (chosen.model ?? '');
    return this.#deps.pickModel(undefined, ability, chosen.service);
  }

  /**
   * The same for several models. Each service is asked about once.
   *
   * @returns the models to use, each once; undefined if the user cancels
   */
  async modelsFor(ability: ModelAbility, models: readonly ModelRef[]): Promise<readonly ModelRef[] | undefined> {
    const used = await this.replacements(ability, models);
    return used && [...new Set(used.values())];
  }

  /** The same, by the given models. */
  async replacements(
    ability: ModelAbility,
    models: readonly ModelRef[],
  ): Promise<ReadonlyMap<ModelRef, ModelRef> | undefined> {
    const used = new Map<string, ModelRef>();
    const found = new Map<ModelRef, ModelRef>();
    for (const model of models) {
      const { service } = refParts(model);
      const before = used.get(service);
      const use = before === undefined ? await this.modelFor(ability, model) : before === '' ? model : before;
      if (use === undefined || use === '') return undefined;
      used.set(service, use === model ? '' : use);
      found.set(model, use);
    }
    return found;
  }

  #lacks(id: string, capability: Capability): boolean {
    const service = this.#deps.services.find(id);
    const url = service && baseUrlOf(service);
    if (service === undefined || url === undefined) return false;
    return supportOf(this.#deps.facts.of(url), service.entry.value, capability, Date.now()).through === 'not';
  }

  /** Those that are known to have it, then those whose list has a model for it. */
  async #others(capability: Capability, ability: ModelAbility, current: string): Promise<readonly Service[]> {
    const { services, catalog } = this.#deps;
    await catalog.load();
    const rated = await Promise.all(
      services.all.map(async (service) => {
        const support = await this.of(service.id, capability);
        const lists = (catalog.of(service.id)?.index.withAbility(ability).length ?? 0) > 0;
        const rank = support === undefined || support.through === 'not' ? 0 : works(support) ? 2 : lists ? 1 : 0;
        return { service, rank };
      }),
    );
    return rated
      .filter(({ service, rank }) => rank > 0 && service.id !== current)
      .toSorted((one, other) => other.rank - one.rank)
      .map(({ service }) => service);
  }
}

/** `Painter doesn't support this: Chat` */
export function lackTitle(service: string, ability: ModelAbility): string {
  return vscode.l10n.t("{0} doesn't support this: {1}", serviceName(service), capabilityText(capabilityFor(ability)));
}

function capabilityFor(ability: ModelAbility): Capability {
  return capabilities.find((each) => abilityFor(each) === ability) ?? 'chat';
}

function baseUrlOf({ endpoint }: Service): string | undefined {
  const addresses = endpoint.addresses();
  return 'kind' in addresses ? undefined : addresses.baseUrl.href;
}
