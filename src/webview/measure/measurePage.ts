import * as l10n from '@vscode/l10n';
import type { MeasuredComparison, MeasuredResult } from '../../shared/measuring.ts';
import type {
  FormerRun,
  MeasureFormat,
  MeasureProgress,
  MeasureSnapshot,
  ToMeasureHost,
  ToMeasurePage,
} from '../../shared/protocol/measureProtocol.ts';
import { handleMessage, type Handlers } from '../../shared/protocol/pageMessage.ts';
import type { Problem } from '../../shared/problem.ts';
import { costText, namedCost } from '../../words/amount.ts';
import { durationText } from '../../words/duration.ts';
import { marksExplained } from '../../words/figureMark.ts';
import { measuredSentence, spreadText } from '../../words/measuredWords.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { recentText } from '../../words/moment.ts';
import { numberText } from '../../words/numberText.ts';
import { modelsText } from '../../words/modelsText.ts';
import { Announcer } from '../kit/announcer.ts';
import { element, icon, iconButton, setText, textButton } from '../kit/element.ts';
import type { Host } from '../kit/host/host.ts';
import { keepFocus } from '../kit/keepFocus.ts';
import { openMenu } from '../kit/popupMenu.ts';
import { ProblemSlot } from '../kit/problemCard.ts';
import { Ticker } from '../kit/ticker.ts';
import { hostNow } from '../kit/host/hostClock.ts';
import { MeasureFormView } from './measureFormView.ts';
import { ResultSections } from './resultSections.ts';
import { RunBar } from './runBar.ts';

const TICK_MS = 1000;
const MOST_RUNS_LISTED = 12;

/** The page that measures models: the form, the run in progress, and its results. */
export class MeasurePage {
  readonly element = element('main', { class: 'measure', hidden: true });
  readonly #post: (message: ToMeasureHost) => void;
  readonly #ticker = new Ticker(TICK_MS);
  readonly #announcer = new Announcer();
  readonly #about = element('span', { class: 'about' });
  readonly #export: HTMLButtonElement;
  readonly #more: HTMLButtonElement;
  readonly #form: MeasureFormView;
  readonly #bar: RunBar;
  readonly #problem = new ProblemSlot(
    {},
    {
      run: (action, _model, service) =>
        this.#post({ type: 'runAction', action, ...(service !== undefined && { service }) }),
      copy: (text) => this.#post({ type: 'copyText', text }),
      dismiss: () => this.#showProblem(undefined),
    },
    this.#ticker,
  );
  readonly #notes = element('div', { class: 'notes' });
  readonly #empty = element('p', { class: 'note empty' });
  readonly #sections: ResultSections;
  #result: MeasuredResult | undefined;
  #runs: readonly FormerRun[] = [];
  #seq = 0;

  constructor(host: Pick<Host<never, ToMeasureHost, ToMeasurePage>, 'post'>) {
    this.#post = (message) => host.post(message);
    this.#form = new MeasureFormView(this.#post);
    this.#bar = new RunBar(() => this.#post({ type: 'stop' }), this.#ticker);
    this.#sections = new ResultSections(this.#post);
    this.#export = textButton('button secondary', l10n.t('Export…'), () => this.#openExport());
    this.#export.setAttribute('aria-haspopup', 'menu');
    this.#more = iconButton('ellipsis', l10n.t('More Actions…'), () => this.#openMore());
    this.#more.setAttribute('aria-haspopup', 'menu');
    this.#empty.textContent = l10n.t(
      'Results appear here: how long each model takes to start, how fast it writes, and what it costs, at each load.',
    );
    this.element.append(
      element(
        'header',
        {},
        element('div', { class: 'title' }, element('h1', {}, l10n.t('Measure Models')), this.#about),
        this.#export,
        this.#more,
      ),
      this.#form.element,
      this.#problem.element,
      this.#bar.element,
      this.#notes,
      this.#empty,
      this.#sections.element,
      this.#announcer.element,
    );
  }

  start(): void {
    this.#post({ type: 'ready' });
  }

  receive(message: ToMeasurePage): void {
    if (message.type !== 'snapshot' && message.seq !== this.#seq + 1) return this.start();
    this.#seq = message.seq;
    handleMessage(this.#handlers, message);
  }

  readonly #handlers: Handlers<ToMeasurePage> = {
    snapshot: ({ snapshot }) => this.#start(snapshot),
    formSet: ({ form }) => this.#form.set(form),
    planned: ({ plan }) => this.#form.showPlan(plan),
    progressed: ({ progress, result }) => {
      if (this.#bar.element.hidden) this.#announcer.say(startWords(progress.planned));
      this.#showProgress(progress);
      if (result !== undefined) this.#showResult(result, undefined);
    },
    resultShown: ({ result, comparison, runs, isNew }) => {
      this.#runs = runs;
      this.#showProgress(undefined);
      this.#showResult(result, comparison);
      if (isNew) this.#announcer.say(endText(result));
    },
    notStarted: ({ problem }) => {
      this.#showProgress(undefined);
      this.#showProblem(problem);
    },
  };

  #start({ form, plan, progress, result, comparison, runs }: MeasureSnapshot): void {
    this.#runs = runs;
    this.#form.set(form);
    this.#form.showPlan(plan);
    // After a run, the form is a single line.
    this.#form.isOpen = result === undefined;
    this.#showProgress(progress);
    this.#showResult(result, comparison);
    this.element.hidden = false;
  }

  #showProgress(progress: MeasureProgress | undefined): void {
    const focused = document.activeElement;
    this.#form.setRunning(progress !== undefined);
    this.#bar.show(progress);
    if (progress !== undefined) this.#showProblem(undefined);
    keepFocus(focused, () => (progress === undefined ? this.#form : this.#bar).focus());
  }

  #showProblem(problem: Problem | undefined): void {
    this.#problem.show(problem);
    if (problem !== undefined) this.#announcer.say(`${problem.title}. ${problem.detail}`);
  }

  #showResult(result: MeasuredResult | undefined, comparison: MeasuredComparison | undefined): void {
    this.#result = result;
    this.#empty.hidden = result !== undefined;
    // During a run, only its own results are shown, and they aren't complete.
    const isRunning = !this.#bar.element.hidden;
    this.#export.hidden = isRunning || result === undefined || result.groups.length === 0;
    this.#more.hidden = isRunning || this.#runs.length === 0;
    const about = result === undefined ? '' : aboutText(result);
    setText(this.#about, about);
    this.#about.title = marksExplained(about).join('\n');
    this.#showNotes(result);
    this.#sections.show(result, comparison, this.#runs);
  }

  #showNotes(result: MeasuredResult | undefined): void {
    const isRunning = !this.#bar.element.hidden;
    if (result === undefined || isRunning) return this.#notes.replaceChildren();
    const { id, open, heldUpMs } = result;
    const rows = notesOf(result).map((note) => noteRow('info', note));
    if (open > 0) {
      const label = open === 1 ? l10n.t('Resume (1 Request)') : l10n.t('Resume ({0} Requests)', numberText(open));
      rows.push(
        element(
          'p',
          {},
          textButton('button secondary', label, () => this.#post({ type: 'resume', id })),
        ),
      );
    }
    if (heldUpMs !== undefined) {
      const text = l10n.t(
        'This machine is the bottleneck: 5% of what arrived waited more than {0} before it was handled. Close other programs, or run fewer requests at once.',
        spreadText('gapMs', heldUpMs),
      );
      rows.unshift(noteRow('warning', text));
    }
    this.#notes.replaceChildren(...rows);
  }

  #openExport(): void {
    const id = this.#result?.id;
    if (id === undefined) return;
    const row = (label: string, format: MeasureFormat) => ({
      label,
      run: () => this.#post({ type: 'exportRun', id, format }),
    });
    openMenu(this.#export, l10n.t('Export'), [
      [row(l10n.t('CSV…'), 'csv'), row(l10n.t('JSON…'), 'json'), row(l10n.t('Markdown…'), 'markdown')],
    ]);
  }

  #openMore(): void {
    const shown = this.#result?.id;
    const runs = this.#runs
      .filter(({ id }) => id !== shown)
      .slice(0, MOST_RUNS_LISTED)
      .map(({ id, at, models }) => ({
        label: l10n.t('Show {0}', recentText(at, hostNow())),
        detail: models.length === 1 ? modelLabel(models[0] ?? '') : modelsText(models.length),
        run: () => this.#post({ type: 'showRun', id }),
      }));
    const remove =
      shown === undefined
        ? []
        : [{ label: l10n.t('Delete This Measurement…'), run: () => this.#post({ type: 'deleteRun', id: shown }) }];
    openMenu(this.#more, l10n.t('More Actions…'), [runs, remove]);
  }
}

function aboutText({ at, tookMs, host, cost, ...of }: MeasuredResult): string {
  const certainty = { isEstimate: of.isCostEstimate, isPartial: of.isCostAtLeast };
  const facts = [
    recentText(at, hostNow()),
    ...(host === undefined || host === '' ? [] : [host]),
    ...(tookMs === undefined ? [] : [l10n.t('took {0}', durationText(tookMs / 1000))]),
    ...(tookMs === undefined || cost === 0 ? [] : [namedCost(costText(cost, certainty))]),
  ];
  return facts.join(' · ');
}

function notesOf({ notes, groups }: MeasuredResult): readonly string[] {
  const isFew = groups.some(
    ({ spreads: { endToEndMs } }) => endToEndMs !== undefined && endToEndMs.interval === undefined,
  );
  return isFew ? [...notes, l10n.t('Fewer than 5 requests: no median line and no interval.')] : notes;
}

function noteRow(name: 'info' | 'warning', text: string): HTMLElement {
  return element('p', { class: `note-row ${name}` }, icon(name), element('span', {}, text));
}

/** Announced once, when it has ended. */
function endText({ ended, planned, groups, models, notes }: MeasuredResult): string {
  const load = groups[0]?.load;
  const figures = groups
    .filter((group) => group.load === load)
    .flatMap((group) => measuredSentence(models[group.model]?.id ?? '', group) ?? []);
  const measured = l10n.t('Measured {0} of {1} requests.', numberText(ended), numberText(planned));
  return [measured, ...notes, ...figures].join(' ');
}

function startWords(requests: number): string {
  return requests === 1 ? l10n.t('Measuring 1 request') : l10n.t('Measuring {0} requests', numberText(requests));
}
