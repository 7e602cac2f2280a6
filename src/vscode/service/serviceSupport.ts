import * as vscode from 'vscode';
import { capabilities, type Capability } from '../../api/service/serviceFacts.ts';
import { capabilityText } from '../../core/services/capabilityText.ts';
import type { ModelAbility } from '../../core/models/modelAbilities.ts';
import type { ModelCatalogs } from '../../core/models/modelCatalogs.ts';
import { abilityFor, type Support, supportOf } from '../../core/services/supportOf.ts';
import { reasonText, works } from '../../core/services/supportText.ts';
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
}

/** What each service supports, for callers that are about to send a request. */
export class ServiceSupport {
  readonly #deps: ServiceSupportDeps;

  constructor(deps: ServiceSupportDeps) {
    this.#deps = deps;
  }

  /** @param id of the service; one that isn't there supports nothing that is known. */
  async of(id: string, capability: Capability): Promise<Support | undefined> {
    const service = this.#deps.services.find(id);
    if (service === undefined) return undefined;
    const url = baseUrlOf(service);
    const facts = url === undefined ? { paths: {} } : await this.#deps.facts.load(url);
    return supportOf(facts, service.entry.value, capability, Date.now());
  }

  /** Whether messages can't have images. Reads nothing: undefined until known. */
  lacksImages(id: string): boolean {
    const service = this.#deps.services.find(id);
    const url = service && baseUrlOf(service);
    if (service === undefined || url === undefined) return false;
    return supportOf(this.#deps.facts.of(url), service.entry.value, 'imageInput', Date.now()).through === 'not';
  }

  /**
   * Before the user types anything: if the service is known to lack what will be asked of it, says so and offers other
   * services.
   *
   * @returns the ID of the service to use; undefined if the user cancels.
   */
  async chooseFor(ability: ModelAbility, current: string): Promise<string | undefined> {
    const capability = capabilities.find((each) => abilityFor(each) === ability) ?? 'chat';
    const support = await this.of(current, capability);
    if (support?.through !== 'not') return current;
    const others = await this.#others(capability, ability, current);
    const question = vscode.l10n.t("{0} doesn't support this: {1}", serviceName(current), capabilityText(capability));
    const uses = others.slice(0, 2).map(({ id, name }) => ({ id, label: vscode.l10n.t('Use {0}', name) }));
    const [show, goOn] = [vscode.l10n.t('Show Service'), vscode.l10n.t('Continue Anyway')];
    const answer = await plainWindow.ask(
      question,
      { detail: reasonText(support) },
      ...uses.map(({ label }) => label),
      show,
      goOn,
    );
    if (answer === show) await vscode.commands.executeCommand(commandIds.showService, current);
    return answer === goOn ? current : uses.find(({ label }) => label === answer)?.id;
  }

  /** Those that are known to have it, then those whose list has a model for it. */
  async #others(capability: Capability, ability: ModelAbility, current: string): Promise<readonly Service[]> {
    const { services, catalog } = this.#deps;
    await catalog.load();
    const rated = await Promise.all(
      services.all.map(async (service) => {
        const support = await this.of(service.id, capability);
        const lists = (catalog.of(service.id)?.modelsOfKind(ability).length ?? 0) > 0;
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

function baseUrlOf({ endpoint }: Service): string | undefined {
  const addresses = endpoint.addresses();
  return 'kind' in addresses ? undefined : addresses.baseUrl.href;
}
