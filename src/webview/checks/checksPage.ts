import * as l10n from '@vscode/l10n';
import {
  type CheckDetailView,
  checksExportForms,
  type ChecksExportForm,
  checksOrders,
  type ChecksOrder,
  type ChecksView,
} from '../../shared/checks.ts';
import type { ChecksToHost } from '../../shared/protocol/checksProtocol.ts';
import { Paced } from '../../shared/paced.ts';
import { costText } from '../../words/amount.ts';
import { numberText } from '../../words/numberText.ts';
import { modelsText } from '../../words/modelsText.ts';
import { busyText } from '../../words/moment.ts';
import { Announcer } from '../kit/announcer.ts';
import { element, icon, textButton } from '../kit/element.ts';
import { marked } from '../kit/metricsRow.ts';
import { ChecksGrid, hasRuns, isSameCell } from './checksGrid.ts';
import { FailurePanel } from './failurePanel.ts';
import { columnsNote, runNote } from './columnsNote.ts';

/** Cases by models: who passes what, how fast, and at what cost; below it, the selected run. */
export class ChecksPage {
  readonly element = element('main', { class: 'checks' });
  readonly #post: (message: ChecksToHost) => void;
  readonly #announcer = new Announcer();
  readonly #top = element('div', { class: 'top' });
  readonly #body = element('div', { class: 'body' });
  readonly #noChecks = element('div');
  readonly #grid: ChecksGrid;
  readonly #panel: FailurePanel;
  readonly #order: HTMLSelectElement;
  readonly #export: HTMLSelectElement;
  // Made once and not for each update, because one of them might have the focus.
  readonly #run = textButton('button secondary', '', () => {
    if (this.#view?.isStarting !== true) this.#post({ type: this.#view?.isRunning === true ? 'stop' : 'run' });
  });
  readonly #remove = button('trash', l10n.t('Delete Results…'), () => this.#post({ type: 'deleteResults' }));
  #wasRunning = false;
  /** What was said about a wait. */
  #waits = '';
  /** The result of the open cell when its runs were asked for. */
  #seen = '';
  #shown: CheckDetailView | undefined;
  #view: ChecksView | undefined;
  /** Updating a large table during a run takes a while. */
  readonly #drawing = new Paced(() => this.#draw(), { leastMs: 0, share: 0.02 }, globalThis);

  constructor(post: (message: ChecksToHost) => void) {
    this.#post = post;
    this.#grid = new ChecksGrid({
      post,
      onLeave: () => this.#panel.close(),
    });
    this.#panel = new FailurePanel({
      post,
      onClose: (hadFocus) => {
        this.#shown = undefined;
        this.#grid.closed(hadFocus);
      },
      onStep: (step) => this.#grid.stepToFailure(step),
    });
    this.#order = select(l10n.t('Sorted by'), checksOrders, orderWords(), (order: ChecksOrder) =>
      post({ type: 'order', order }),
    );
    this.#export = select(
      l10n.t('Export'),
      ['', ...checksExportForms],
      {
        '': l10n.t('Export…'),
        markdown: 'Markdown',
        csv: 'CSV',
        junit: 'JUnit XML',
        promptfoo: 'promptfooconfig.yaml',
      },
      (form: ChecksExportForm | '') => {
        this.#export.value = '';
        if (form !== '') post({ type: 'export', form });
      },
    );
    this.#body.append(this.#top, this.#grid.element, this.#noChecks);
    this.element.append(this.#body, this.#panel.element, this.#announcer.element);
  }

  show(view: ChecksView): void {
    this.#view = view;
    if (view.isRunning && this.#wasRunning) this.#drawing.soon();
    else void this.#drawing.now();
  }

  #draw(): void {
    const view = this.#view;
    if (view === undefined) return;
    const focused = document.activeElement;
    this.#order.value = view.order;
    const rows = view.files.flatMap((file) => file.rows);
    const isEmpty = rows.length === 0;
    this.#top.replaceChildren(this.#head(view, rows.length), ...(isEmpty ? [] : [this.#bar(view)]));
    this.#grid.element.hidden = isEmpty;
    this.#noChecks.replaceChildren(...(isEmpty ? [this.#empty(view)] : []));
    this.#grid.draw(view);
    if (focused instanceof HTMLElement && focused !== document.body) {
      if (focused === this.#remove && this.#remove.hidden) this.#run.focus();
      else if (this.#body.contains(focused)) focused.focus();
      else if (focused.dataset['cell'] !== undefined) this.#grid.focusSelected();
    }
    this.#followOpened(this.#wasRunning && !view.isRunning);
    // It was on what is gone: the only button of a table without checks, one above the checks that were there, or the
    // details of one of them.
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement?.checkVisibility() === false;
    if (isLost && focused !== null && focused !== document.body)
      [...this.#body.querySelectorAll('button')].find((each) => each.checkVisibility())?.focus();
    if (this.#wasRunning && !view.isRunning) this.#announcer.say(runNote(view));
    const waits = waitNote(view);
    if (waits !== '' && waits !== this.#waits) this.#announcer.say(waits);
    this.#waits = waits;
    this.#wasRunning = view.isRunning;
  }

  showDetail(detail: CheckDetailView): void {
    const { opened } = this.#grid;
    // It might have been closed, or another one opened, in the meantime.
    if (opened === undefined || !isSameCell(detail, opened.id)) return;
    const isOther = this.#shown === undefined || !isSameCell(this.#shown, opened.id);
    this.#shown = detail;
    this.#seen = JSON.stringify(opened.cell);
    this.#panel.show(detail);
    if (isOther) this.#grid.reveal();
  }

  /** Asks for the runs of the open cell again if its result has changed. */
  #followOpened(hasEnded: boolean): void {
    const { opened } = this.#grid;
    if (opened === undefined) return;
    const { id, cell } = opened;
    // The panel stays open while the case runs again.
    if (cell?.state === 'running') this.#seen = '';
    else if (cell === undefined || !hasRuns(cell)) this.#panel.close();
    else if (hasEnded || JSON.stringify(cell) !== this.#seen) {
      this.#seen = JSON.stringify(cell);
      this.#post({ type: 'open', ...id });
    }
  }

  #head(view: ChecksView, cases: number): HTMLElement {
    this.#run.replaceChildren(...runWords(view));
    // Not `disabled`, which would take the focus away.
    this.#run.ariaDisabled = String(view.isStarting === true);
    const cells = view.files.flatMap(({ rows }) => rows.flatMap((row) => row.cells));
    this.#remove.hidden = view.isRunning || !cells.some(hasRuns);
    const facts = summary(view, cases);
    const actions = cases === 0 ? [] : [this.#run, this.#export, this.#remove];
    return element(
      'header',
      {},
      element('h1', {}, l10n.t('Checks')),
      element('span', { class: 'dim figures', ...marked(facts) }, facts),
      element('span', { class: 'actions' }, ...actions),
    );
  }

  #bar(view: ChecksView): HTMLElement {
    const sorted = element('label', { class: 'dim' }, `${l10n.t('Sorted by')} `, this.#order);
    // Before the end, what is missing would count as failed.
    const words = view.isRunning ? waitNote(view) : columnsNote(view);
    const note = element('p', { class: 'dim note' }, words);
    return element('div', { class: 'bar' }, sorted, note);
  }

  #empty({ gone }: ChecksView): HTMLElement {
    if (gone !== undefined) {
      const all = textButton('button', l10n.t('Show All Checks'), () => this.#post({ type: 'showAll' }));
      return element('div', { class: 'empty' }, element('p', {}, l10n.t('"{0}" no longer exists.', gone)), all);
    }
    const text = l10n.t('No checks yet. A check runs a prompt on a case and tests the reply.');
    const make = textButton('button', l10n.t('New Check File'), () => this.#post({ type: 'newFile' }));
    return element('div', { class: 'empty' }, element('p', {}, text), make);
  }
}

function waitNote({ waitsUntil }: ChecksView): string {
  return waitsUntil === undefined ? '' : busyText(waitsUntil);
}

function runWords({ isRunning, isStarting }: ChecksView): readonly (Node | string)[] {
  if (isStarting === true) return [l10n.t('Starting…')];
  return isRunning ? [icon('debug-stop'), ` ${l10n.t('Stop')}`] : [icon('run-all'), ` ${l10n.t('Run All')}`];
}

function summary(view: ChecksView, cases: number): string {
  const { files, columns, repeat, cost, isCostAtLeast: isPartial, isCostEstimate: isEstimate } = view;
  const [least, most] = repeat;
  if (cases === 0) return '';
  const faulty = files.flatMap(({ rows }) => rows.filter(({ notRun }) => notRun !== undefined)).length;
  const parts = [
    cases === 1 ? l10n.t('1 case') : l10n.t('{0} cases', numberText(cases)),
    modelsText(columns.length),
    least < most
      ? l10n.t('{0} to {1} runs each', numberText(least), numberText(most))
      : most === 1
        ? l10n.t('1 run each')
        : l10n.t('{0} runs each', numberText(most)),
    ...(faulty === 0
      ? []
      : [faulty === 1 ? l10n.t("1 case can't run") : l10n.t("{0} cases can't run", numberText(faulty))]),
    ...(cost > 0 ? [l10n.t('cost {0} in all', costText(cost, { isEstimate, isPartial }))] : []),
  ];
  return parts.join(' · ');
}

function orderWords(): Readonly<Record<ChecksOrder, string>> {
  return {
    cheapest: l10n.t('Passes all, then cheapest'),
    fastest: l10n.t('Passes all, then fastest'),
    name: l10n.t('Name'),
  };
}

function button(iconName: string, label: string, onClick: () => void): HTMLButtonElement {
  const made = textButton('button secondary', '', onClick);
  made.append(icon(iconName), ` ${label}`);
  return made;
}

function select<T extends string>(
  label: string,
  values: readonly T[],
  words: Readonly<Record<T, string>>,
  onChange: (value: T) => void,
): HTMLSelectElement {
  const made = element('select', { 'aria-label': label });
  for (const value of values) made.append(element('option', { value }, words[value]));
  made.addEventListener('change', () => {
    const chosen = values.find((value) => value === made.value);
    if (chosen !== undefined) onChange(chosen);
  });
  return made;
}
