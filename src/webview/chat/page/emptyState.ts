import * as l10n from '@vscode/l10n';
import type { ConnectionView, SuggestionView, ToHost } from '../../../shared/protocol/chatProtocol.ts';
import type { Problem, ProblemAction, ProblemActionKind } from '../../../shared/problem.ts';
import { element, icon, textButton } from '../../kit/element.ts';

type Step = Pick<Problem, 'title' | 'detail' | 'actions'>;

/** The content of an empty chat: the next step while something is missing, an invitation after that. */
export class EmptyState {
  readonly element = element('div', { class: 'empty' });
  readonly #post: (message: ToHost) => void;

  constructor(post: (message: ToHost) => void) {
    this.#post = post;
  }

  show(connection: ConnectionView, suggestions: readonly SuggestionView[]): void {
    const problem = connection.problem ?? connection.lack;
    const step = problem ?? nextStep(connection);
    this.element.replaceChildren(
      element(
        'div',
        { class: 'empty-body' },
        ...(problem === undefined ? [] : [icon(problem.severity)]),
        ...(step === undefined ? this.#invitation(suggestions) : this.#lead(step)),
        connectionLine(connection),
      ),
    );
  }

  #lead({ title, detail, actions }: Step): HTMLElement[] {
    const buttons = actions.map(({ kind, label, model }, index) =>
      textButton(index === 0 ? 'button' : 'link', label, () =>
        this.#post({ type: 'runAction', action: kind, ...(model !== undefined && { model }) }),
      ),
    );
    return [
      element('h2', {}, title),
      ...(detail === '' ? [] : [element('p', {}, detail)]),
      ...(buttons.length === 0 ? [] : [element('div', { class: 'empty-step' }, ...buttons)]),
    ];
  }

  #invitation(suggestions: readonly SuggestionView[]): HTMLElement[] {
    const list = element('ul', { class: 'suggestions' });
    for (const { id, label } of suggestions) {
      list.append(
        element(
          'li',
          {},
          textButton('link', label, () => this.#post({ type: 'runSuggestion', id })),
        ),
      );
    }
    const intro = [
      element('h2', {}, l10n.t('Ask any model')),
      element('p', {}, l10n.t('Every reply shows how fast it was.')),
    ];
    return suggestions.length === 0 ? intro : [...intro, list];
  }
}

function nextStep({ state, host, isLocal }: ConnectionView): Step | undefined {
  switch (state) {
    case 'ready':
      return undefined;
    case 'needsBaseUrl':
      return {
        title: l10n.t('Connect to a service'),
        detail: l10n.t('Parlance works with any OpenAI-compatible service. Enter its base URL to get started.'),
        actions: [
          action('setBaseUrl', l10n.t('Set Base URL…')),
          action('findLocalServices', l10n.t('Find Local Services')),
        ],
      };
    case 'needsApiKey': {
      const set = action('setApiKey', l10n.t('Set API Key…'));
      const none = action('useNoKey', l10n.t('Use No Key'));
      return {
        title: isLocal === true ? l10n.t('Does your service need an API key?') : l10n.t('Add your API key'),
        detail: l10n.t("Your key is kept in VS Code's secret storage and sent only to {0}.", host),
        actions: isLocal === true ? [none, set] : [set, none],
      };
    }
    case 'needsModel':
      return {
        title: l10n.t('Select a model'),
        detail: l10n.t('Select the model for your first message. You can switch models at any time.'),
        actions: [action('selectModel', l10n.t('Select Model…'))],
      };
  }
}

function action(kind: ProblemActionKind, label: string): ProblemAction {
  return { kind, label };
}

function connectionLine({ state, problem, host }: ConnectionView): HTMLElement {
  const ready = state === 'ready' && problem === undefined;
  const words = host === '' ? l10n.t('No service connected') : ready ? host : withWhatIsMissing(state, host);
  return element(
    'div',
    { class: ready ? 'connection ready' : 'connection' },
    // Says what is set up, not whether it works: a green color right after a failure would be wrong.
    icon(ready ? 'plug' : 'circle-outline'),
    element('span', {}, words),
  );
}

function withWhatIsMissing(state: ConnectionView['state'], host: string): string {
  return state === 'needsModel' ? l10n.t('{0} · no model selected yet', host) : l10n.t('{0} · not connected yet', host);
}
