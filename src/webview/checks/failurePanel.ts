import * as l10n from '@vscode/l10n';
import type { ChangedLine, CheckDetailView, CheckRunView } from '../../shared/checks.ts';
import type { ChecksToHost } from '../../shared/protocol/checksProtocol.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { runFigures } from '../../words/runFigures.ts';
import { element, icon, iconButton, textButton } from '../kit/element.ts';
import { marked } from '../kit/metricsRow.ts';

const icons = { passed: 'pass', failed: 'error', undecided: 'question' } as const;

/** The runs of one cell below the table: expected next to actual. */
export class FailurePanel {
  readonly element = element('section', { class: 'panel', hidden: true });
  readonly #post: (message: ChecksToHost) => void;
  readonly #onClose: (hadFocus: boolean) => void;
  readonly #onStep: (step: 1 | -1) => void;
  #run = 0;
  #detail: CheckDetailView | undefined;

  constructor(deps: {
    readonly post: (message: ChecksToHost) => void;
    readonly onClose: (hadFocus: boolean) => void;
    readonly onStep: (step: 1 | -1) => void;
  }) {
    this.#post = deps.post;
    this.#onClose = deps.onClose;
    this.#onStep = deps.onStep;
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
      else if (event.key === 'F8' && event.altKey) this.#onStep(event.shiftKey ? -1 : 1);
    });
  }

  show(detail: CheckDetailView): void {
    const isSame = JSON.stringify(detail) === JSON.stringify(this.#detail);
    if (isSame && !this.element.hidden) return;
    this.#detail = detail;
    const failed = detail.runs.findIndex(({ state }) => state !== 'passed');
    this.#run = Math.max(0, failed);
    this.#draw(detail);
    this.element.hidden = false;
  }

  close(): void {
    if (this.element.hidden) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.#onClose(hadFocus);
  }

  #draw(detail: CheckDetailView): void {
    const { name, runs, file } = detail;
    const model = modelLabel(detail.model);
    const run = runs[this.#run];
    if (run === undefined) return;
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    this.element.setAttribute('aria-label', `${name}, ${model}`);
    const place = l10n.t('Run {0} of {1}', this.#run + 1, runs.length);
    const facts = [model, place, ...runFigures(run)].join(' · ');
    const { attempt } = run;
    const request =
      attempt === undefined
        ? []
        : [textButton('link', l10n.t('Show Request'), () => this.#post({ type: 'showRequest', attempt }))];
    this.element.replaceChildren(
      element(
        'header',
        {},
        icon(icons[run.state]),
        element('h2', {}, name),
        element('span', { class: 'dim figures', ...marked(facts) }, facts),
        element(
          'span',
          { class: 'actions' },
          ...(runs.length > 1 ? [this.#runs(detail)] : []),
          ...request,
          iconButton('arrow-up', l10n.t('Previous Failure'), () => this.#onStep(-1)),
          iconButton('arrow-down', l10n.t('Next Failure'), () => this.#onStep(1)),
          iconButton('close', l10n.t('Close'), () => this.close()),
        ),
      ),
      element('div', { class: 'sides' }, this.#expected(detail, run, file), actualSide(run)),
    );
    if (focused !== null) this.#focusAgain(focused);
  }

  /** The button with the same name, or one that is always there. */
  #focusAgain(before: Element): void {
    const buttons = Array.from(this.element.querySelectorAll('button'));
    (buttons.find((each) => buttonName(each) === buttonName(before)) ?? buttons.at(-1))?.focus();
  }

  #runs(detail: CheckDetailView): HTMLElement {
    const buttons = detail.runs.map(({ state }, at) => {
      const button = iconButton(icons[state], l10n.t('Run {0} of {1}', at + 1, detail.runs.length), () => {
        this.#run = at;
        this.#draw(detail);
      });
      button.classList.add(state);
      button.setAttribute('aria-pressed', String(at === this.#run));
      return button;
    });
    return element('span', { class: 'runs' }, l10n.t('Runs'), ...buttons);
  }

  #expected({ uri }: CheckDetailView, run: CheckRunView, file: string): HTMLElement {
    const [first] = run.faults;
    const where =
      first === undefined
        ? []
        : [
            ' · ',
            textButton('link', `${file}:${first.line}`, () => this.#post({ type: 'showLine', uri, line: first.line })),
          ];
    const title = element('h3', {}, l10n.t('Expected'), ...where);
    if (run.diff !== undefined)
      return element('div', { class: 'side' }, title, textBlock(run.diff.expected, 'inserted'));
    const faults = run.faults.map(({ text }) => element('li', {}, text));
    const words =
      run.state === 'passed' ? element('p', {}, l10n.t('Everything expected was met.')) : element('ul', {}, ...faults);
    return element('div', { class: 'side' }, title, words);
  }
}

function buttonName(button: Element): string {
  return button.getAttribute('aria-label') ?? button.textContent;
}

function actualSide({ reply, diff }: CheckRunView): HTMLElement {
  const title = element('h3', {}, l10n.t('Actual reply'));
  if (diff !== undefined) return element('div', { class: 'side' }, title, textBlock(diff.actual, 'removed'));
  if (reply === undefined)
    return element('div', { class: 'side' }, title, element('p', { class: 'dim' }, l10n.t("There's no reply.")));
  return element(
    'div',
    { class: 'side' },
    title,
    textBlock(
      reply.split('\n').map((text) => ({ text, isChanged: false })),
      '',
    ),
  );
}

function textBlock(lines: readonly ChangedLine[], changed: string): HTMLElement {
  const rows = lines.map(({ text, isChanged }) =>
    element('li', { class: isChanged ? changed : '' }, text === '' ? ' ' : text),
  );
  return element('ol', { class: 'text', tabindex: '0' }, ...rows);
}
