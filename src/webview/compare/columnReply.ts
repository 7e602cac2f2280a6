import * as l10n from '@vscode/l10n';
import type { CompareReplyView, ReplyAct, ToCompareHost } from '../../shared/protocol/compareProtocol.ts';
import { endingText } from '../../words/ending.ts';
import { busyText } from '../../words/moment.ts';
import { marksExplained } from '../../words/figureMark.ts';
import { namedCost } from '../../words/amount.ts';
import { speedParts } from '../../words/replySpeed.ts';
import { endWord, metricsTooltip } from '../chat/speed/metricWords.ts';
import { element, iconButton, setText, textButton } from '../kit/element.ts';
import type { FrameLoop } from '../kit/frameLoop.ts';
import { type MetricWord, MetricsRow } from '../kit/metricsRow.ts';
import { type ProblemSlot, replyProblemSlot } from '../kit/problemCard.ts';
import type { Ticker } from '../kit/ticker.ts';
import { MarkdownPart } from '../markdown/markdownPart.ts';
import type { CodeActions } from '../markdown/markdownView.ts';
import type { RunnerView } from './race/raceRunner.ts';

/** What a column needs from the page around it. */
export interface ColumnSurroundings {
  readonly post: (message: ToCompareHost) => void;
  readonly act: (replyId: string, act: ReplyAct) => void;
  readonly code: CodeActions;
  readonly frames: FrameLoop;
  readonly ticker: Ticker;
}

/** One model's reply to one question, with its figures and actions. */
export class ColumnReply {
  readonly element: HTMLElement;
  readonly #thinking: HTMLDetailsElement;
  readonly #reasoning: MarkdownPart;
  readonly #answer: MarkdownPart;
  readonly #waiting = element('div', { class: 'waiting' });
  readonly #problem: ProblemSlot;
  readonly #metrics = new MetricsRow();
  readonly #actions: HTMLElement;
  readonly #stop: HTMLButtonElement;
  readonly #retry: HTMLButtonElement;
  readonly #apply: HTMLButtonElement;
  readonly #ofText: readonly HTMLElement[];
  #reply: CompareReplyView;

  constructor(reply: CompareReplyView, around: ColumnSurroundings) {
    this.#reply = reply;
    this.#reasoning = new MarkdownPart('reasoning-text', around.frames, around.code);
    this.#answer = new MarkdownPart('answer', around.frames, around.code);
    this.#problem = replyProblemSlot(() => this.#reply.id, around);
    this.#thinking = element(
      'details',
      { class: 'reasoning', hidden: true },
      element('summary', {}, l10n.t('Thinking')),
      this.#reasoning.element,
    );
    const act = (name: ReplyAct) => () => around.act(this.#reply.id, name);
    const copy = iconButton('copy', l10n.t('Copy'), () => around.act(this.#reply.id, 'copy'));
    const insert = iconButton('insert', l10n.t('Insert at Cursor'), act('insert'));
    this.#retry = iconButton('refresh', l10n.t('Retry'), () => around.post({ type: 'retry', replyId: this.#reply.id }));
    const compare = iconButton('diff', l10n.t('Compare with Another Reply'), act('compareText'));
    this.#apply = textButton('link', l10n.t('Apply as Diff'), act('apply'));
    const goOn = textButton('link', l10n.t('Continue in Chat'), act('continueInChat'));
    this.#ofText = [copy, insert, compare, goOn];
    this.#actions = element('div', { class: 'actions' }, copy, insert, compare, this.#retry, this.#apply, goOn);
    this.#stop = textButton('link column-stop', l10n.t('Stop'), () =>
      around.post({ type: 'stopColumn', columnId: this.#reply.columnId }),
    );
    this.element = element(
      'div',
      { class: 'reply' },
      this.#thinking,
      this.#answer.element,
      this.#waiting,
      this.#problem.element,
      element('div', { class: 'footer' }, this.#metrics.element, this.#actions, this.#stop),
    );
    this.show(reply);
  }

  get isRunning(): boolean {
    return this.#reply.state === 'running';
  }

  show(reply: CompareReplyView): void {
    this.#reply = reply;
    this.#answer.sync(reply.text);
    this.#reasoning.sync(reply.reasoning);
    this.#thinking.hidden = reply.reasoning === '';
    const { isRunning } = this;
    this.element.dataset['state'] = reply.isQueued === true ? 'queued' : reply.state;
    this.#actions.hidden = isRunning;
    this.#stop.hidden = !isRunning;
    for (const action of this.#ofText) action.hidden = reply.text === '';
    // What's missing of an incomplete one would be a change, too.
    this.#apply.hidden = reply.state !== 'done' || !hasCode(reply.text);
    // Another window is working on it, and asking again would be charged again.
    const isElsewhere = reply.state === 'elsewhere';
    this.#retry.hidden = isElsewhere || reply.problem?.actions.some(({ kind }) => kind === 'retry') === true;
    this.#problem.show(reply.problem);
    if (isRunning) {
      setText(this.#waiting, reply.text === '' && reply.reasoning === '' ? waitingText(reply) : '');
      if (reply.isQueued === true) this.#metrics.show([], '');
      return;
    }
    this.#answer.finish();
    this.#reasoning.finish();
    setText(this.#waiting, noteOf(reply));
    this.#metrics.show(
      [...figures(reply), endOf(reply)].filter((word) => word !== undefined),
      metricsTooltip(reply),
    );
  }

  grow(part: 'text' | 'reasoning', text: string): void {
    this.#thinking.hidden &&= part !== 'reasoning';
    (part === 'text' ? this.#answer : this.#reasoning).append(text);
    setText(this.#waiting, '');
  }

  /** What is known while it's being written. */
  drawLive({ state, metrics }: RunnerView): void {
    if (!this.isRunning || state === 'queued') return;
    const { timeToFirstTokenSeconds: _first, ...shown } = metrics;
    const parts = speedParts(shown);
    this.#metrics.show(parts, marksExplained(...parts.map(({ value }) => value)).join('\n'));
  }

  dispose(): void {
    this.#problem.dispose();
    this.#answer.dispose();
    this.#reasoning.dispose();
  }
}

function waitingText({ isQueued, waitsUntil }: CompareReplyView): string {
  if (isQueued !== true) return l10n.t('Waiting for the first token');
  if (waitsUntil === undefined) return l10n.t('Waiting for its turn');
  return busyText(waitsUntil);
}

/** Facts about a reply that nothing else below it shows. */
function noteOf({ state, text, problem, chargeNote }: CompareReplyView): string {
  if (chargeNote !== undefined) return chargeNote;
  // A blind one: its problem would name the model.
  if (state === 'failed' && problem === undefined) return l10n.t('Failed');
  return state === 'done' && text === '' ? l10n.t('The reply has no text') : '';
}

/** A fenced block. */
function hasCode(text: string): boolean {
  return /^ {0,3}(?:```|~~~)/mu.test(text);
}

function figures({ metrics, cost, state, text }: CompareReplyView): readonly MetricWord[] {
  if (state === 'failed' && text === '') return [];
  return [...speedParts(metrics), ...(cost === undefined ? [] : [{ text: namedCost(cost), value: cost }])];
}

function endOf(reply: CompareReplyView): MetricWord | undefined {
  return endingText(reply) === undefined ? undefined : endWord(reply);
}
