import * as l10n from '@vscode/l10n';
import type { RequestView } from '../../shared/protocol/requestProtocol.ts';
import { isLengthEnding } from '../../shared/replyEnding.ts';
import { marksExplained } from '../../words/figureMark.ts';
import { comparisonText } from '../../words/replyComparison.ts';
import { namedCost } from '../../words/amount.ts';
import { barWords, speedParts, timeText } from '../../words/replySpeed.ts';
import { element, icon, textButton } from '../kit/element.ts';
import { MetricsRow } from '../kit/metricsRow.ts';
import { SpeedLine } from '../kit/speedLine.ts';
import { ReplyColumn, type ReplySurroundings } from './replyColumn.ts';
import { questionBubble } from './sentTurn.ts';

export interface ReplyPairActs {
  swap(): void;
  showDifferences(): void;
  openConversation(id: string): void;
}

/** Two replies side by side, with their times on one scale. */
export class ReplyPair {
  readonly element: HTMLElement;
  readonly #columns: readonly ReplyColumn[];

  constructor(left: RequestView, right: RequestView, around: ReplySurroundings, acts: ReplyPairActs) {
    const both = [left, right];
    const columns = both.map((request) => ({ request, reply: new ReplyColumn(around) }));
    this.#columns = columns.map(({ reply }) => reply);
    const isSameQuestion = JSON.stringify(left.question) === JSON.stringify(right.question);
    const sameness = samenessOf(left, right);
    this.element = element(
      'div',
      { class: 'comparison' },
      element(
        'header',
        { class: 'head compare-head' },
        element('h1', {}, l10n.t('Compare Replies')),
        compareActs(acts, sameness),
      ),
      ...(isSameQuestion && left.question !== undefined ? [questionBubble(left.question)] : []),
      race(both),
      verdict(both, sameness),
      element(
        'div',
        { class: 'columns' },
        ...columns.map(({ request, reply }) => column(request, reply, isSameQuestion, acts)),
      ),
    );
    for (const { request, reply } of columns) reply.show(request);
  }

  dispose(): void {
    for (const reply of this.#columns) reply.dispose();
  }
}

type Sameness = 'different' | 'identical' | 'bothEmpty';

/** By what the text differences show, so not by the reasoning. */
function samenessOf(left: RequestView, right: RequestView): Sameness {
  const [one, other] = [left, right].map(({ reply: { text, calls } }) => JSON.stringify([text, calls]));
  if (one !== other) return 'different';
  return left.reply.text === '' && left.reply.calls.length === 0 ? 'bothEmpty' : 'identical';
}

function compareActs(acts: ReplyPairActs, sameness: Sameness): HTMLElement {
  const row = element('div', { class: 'acts' });
  const add = (act: string, iconName: string, label: string, run: () => void): void => {
    const button = textButton('button secondary', label, run);
    button.prepend(icon(iconName), ' ');
    button.dataset['act'] = act;
    row.append(button);
  };
  add('swap', 'arrow-swap', l10n.t('Swap'), () => acts.swap());
  if (sameness === 'different') {
    add('showDifferences', 'diff', l10n.t('Show Differences'), () => acts.showDifferences());
  }
  return row;
}

/** A row for each: its name, its bar, and its time. */
function race(both: readonly RequestView[]): HTMLElement {
  const slowest = Math.max(...both.map(({ metrics }) => metrics.totalSeconds?.value ?? 0));
  const rows = both.map(({ name, metrics }) => {
    const line = new SpeedLine();
    line.show(metrics, false);
    line.scale(slowest);
    const bar = element(
      'div',
      { class: 'bar', role: 'img', 'aria-label': barWords(metrics)?.sentence ?? '' },
      line.element,
    );
    const total = metrics.totalSeconds;
    return element(
      'li',
      {},
      element('span', { class: 'name', title: name }, name),
      total === undefined ? '' : bar,
      element('span', { class: 'time', 'aria-hidden': 'true' }, total === undefined ? '–' : timeText(total)),
    );
  });
  return element('ul', { class: 'race', 'aria-label': l10n.t('Times') }, ...rows);
}

/** A failure or a stop that came soon isn't a fast or cheap reply. One that reached its token limit is a reply. */
function isFinished({ state, finishReason }: RequestView): boolean {
  return state === 'done' || (state === 'incomplete' && isLengthEnding(finishReason));
}

function verdict(both: readonly RequestView[], sameness: Sameness): HTMLElement {
  const [left, right] = both;
  const isTimed = both.every(isFinished);
  const isCompared = left !== undefined && right !== undefined && isTimed;
  const { verdict: sooner, notes } = isCompared ? comparisonText(left, right) : { notes: [] };
  const words = element('p', { class: 'verdict' });
  if (sameness === 'identical') {
    words.append(icon('check'), ' ', element('b', {}, l10n.t('The replies are identical.')), ' ');
  }
  if (sooner !== undefined) words.append(icon('zap'), ' ', sooner);
  for (const sentence of notes) words.append(' ', element('span', { class: 'note' }, sentence));
  words.hidden = !words.hasChildNodes();
  return words;
}

function column(request: RequestView, reply: ReplyColumn, isSameQuestion: boolean, acts: ReplyPairActs): HTMLElement {
  const { id, name, metrics, cost, ending, state, question } = request;
  const figures = new MetricsRow();
  const parts = speedParts(metrics);
  figures.show(
    [
      ...parts,
      ...(cost === undefined ? [] : [{ text: namedCost(cost) }]),
      ...(state === 'done' ? [] : [{ text: ending, notable: true }]),
    ],
    marksExplained(...parts.map(({ value }) => value)).join('\n'),
  );
  return element(
    'section',
    { class: 'column', 'aria-label': name },
    element('h2', {}, name),
    ...(isSameQuestion || question === undefined ? [] : [questionBubble(question)]),
    reply.element,
    element(
      'footer',
      {},
      figures.element,
      ...(request.acts.includes('openConversation')
        ? [textButton('link', l10n.t('Open Conversation'), () => acts.openConversation(id))]
        : []),
    ),
  );
}
