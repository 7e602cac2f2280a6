import * as l10n from '@vscode/l10n';
import type { ReplyView } from '../../../shared/chat.ts';
import type { ToPage } from '../../../shared/protocol/chatProtocol.ts';
import { isWholeEnding } from '../../../shared/replyEnding.ts';
import type { ArticleSurroundings } from './articleSurroundings.ts';
import { element, setText } from '../../kit/element.ts';
import { LiveReply } from '../speed/liveReply.ts';
import { MarkdownPart } from '../../markdown/markdownPart.ts';
import { MessageActions } from './messageActions.ts';
import { type MetricWord, MetricsRow } from '../../kit/metricsRow.ts';
import { answeredByWord, endWord, metricsTooltip } from '../speed/metricWords.ts';
import { type ProblemSlot, replyProblemSlot } from '../../kit/problemCard.ts';
import { ReasoningFold } from './reasoningFold.ts';
import { type Side, VersionSwitch } from './versionSwitch.ts';
import { SpeedLine } from '../../kit/speedLine.ts';
import { hostNow } from '../../kit/host/hostClock.ts';
import { elapsedText, waitText } from '../../../words/duration.ts';
import { marksExplained } from '../../../words/figureMark.ts';
import { momentText } from '../../../words/moment.ts';
import { speedParts, unknownRate } from '../../../words/replySpeed.ts';
import { modelLabel } from '../../../words/modelLabel.ts';

// Shorter pauses are normal.
const SILENCE_MS = 15_000;

/** Text that was added to a reply. */
export type Growth = Omit<Extract<ToPage, { type: 'replyGrew' }>, 'type' | 'seq' | 'offset'>;

/** One reply: its model, its reasoning, its text, how fast it was, and what went wrong. */
export class ReplyArticle {
  readonly role = 'assistant';
  readonly element: HTMLElement;
  readonly speedLine = new SpeedLine();
  readonly #around: ArticleSurroundings;
  readonly #actions: MessageActions;
  readonly #continue: HTMLButtonElement;
  readonly #retry: HTMLButtonElement;
  readonly #delete: HTMLButtonElement;
  readonly #metrics = new MetricsRow();
  readonly #footer: HTMLElement;
  readonly #versions: VersionSwitch;
  readonly #answer: MarkdownPart;
  readonly #reasoning: ReasoningFold;
  readonly #waiting = element('div', { class: 'waiting' });
  readonly #problem: ProblemSlot;
  #reply: ReplyView;
  #live: LiveReply | undefined;
  #stopHint: HTMLElement | undefined;
  #endTicks: (() => void) | undefined;
  #saidSilent = false;
  #isLast = false;

  /** @param fresh true if the request was sent just now: its age is then known without comparing clocks. */
  constructor(reply: ReplyView, around: ArticleSurroundings, fresh: boolean) {
    this.#reply = reply;
    this.#around = around;
    this.#versions = new VersionSwitch(around.showVersion);
    this.#answer = new MarkdownPart('answer', around.frames, around.code);
    this.#reasoning = new ReasoningFold(around);
    this.#problem = replyProblemSlot(() => this.#reply.id, around);
    this.#actions = new MessageActions(around);
    this.#continue = this.#actions.makeNamed(l10n.t('Continue'), () =>
      around.post({ type: 'runAction', action: 'continue', replyId: this.#reply.id }),
    );
    this.#actions.addCopy(reply.id);
    this.#retry = this.#actions.add(
      'refresh',
      l10n.t('Retry'),
      () => around.retryMenu.ask(this.#reply.id, this.#retry),
      true,
    );
    this.#retry.setAttribute('aria-haspopup', 'menu');
    this.#delete = this.#actions.addDelete(reply.id);
    const heading = element('h2', { class: 'model', title: momentText(reply.at) }, modelLabel(reply.model));
    this.#footer = element(
      'div',
      { class: 'footer' },
      this.#metrics.element,
      this.#versions.element,
      this.#continue,
      this.#actions.element,
    );
    this.element = element(
      'article',
      { class: 'message reply', 'aria-label': modelLabel(reply.model) },
      heading,
      this.#reasoning.element,
      this.#answer.element,
      this.#waiting,
      this.#problem.element,
      this.speedLine.element,
      this.#footer,
    );
    this.#syncText(reply);
    if (reply.state === 'running') this.#startLive(fresh);
    this.#drawState(undefined);
  }

  update(reply: ReplyView): void {
    const before = this.#reply;
    this.#reply = reply;
    this.#syncText(reply);
    const waited = before.retry !== undefined && reply.retry === undefined;
    if (reply.state !== 'running') this.#stopLive();
    else if (this.#live === undefined) this.#startLive(false);
    else if (waited) this.#live.restarted(performance.now());
    this.#drawState(before);
  }

  grow({ part, text, pieces }: Growth): void {
    const first = this.#live?.hasText === false || (part === 'text' && this.#answer.length === 0);
    if (part === 'text') this.#answer.append(text);
    else this.#reasoning.append(text, performance.now());
    this.#live?.grew(text.length, performance.now(), pieces);
    this.#saidSilent = false;
    if (first) this.#drawLive();
  }

  /** The slowest time of all versions of this reply, which share one scale. */
  get longestSeconds(): number {
    const others = (this.#reply.versions ?? []).map(({ metrics }) => metrics?.totalSeconds?.value ?? 0);
    return Math.max(this.speedLine.totalSeconds, ...others);
  }

  focusVersions(side: Side): void {
    this.#versions.focus(side);
  }

  setRunning(running: boolean): void {
    this.#actions.setRunning(running);
    this.#versions.setRunning(running);
  }

  /** Only the last message can be continued. */
  setLast(isLast: boolean): void {
    if (isLast === this.#isLast) return;
    this.#isLast = isLast;
    this.#offerActs();
    if (this.#reply.problem?.actions.some(({ kind }) => kind === 'continue') === true) this.#drawProblem();
  }

  dispose(): void {
    this.#stopLive();
    this.#problem.dispose();
    this.#actions.dispose();
    this.#answer.dispose();
    this.#reasoning.dispose();
  }

  #syncText(reply: ReplyView): void {
    this.#answer.sync(reply.text);
    this.#reasoning.sync(reply.reasoning);
    if (reply.state === 'running' || reply.state === 'elsewhere') return;
    this.#answer.finish();
    this.#reasoning.finish();
  }

  #startLive(fresh: boolean): void {
    const now = performance.now();
    const ageMs = fresh ? 0 : Math.max(0, hostNow() - this.#reply.at);
    this.#live = new LiveReply(
      now - ageMs,
      now,
      this.#reply.text.length + this.#reply.reasoning.length,
      this.#around.tokenLengths.of(this.#reply.model),
    );
    this.#endTicks ??= this.#around.ticker.add(() => this.#drawLive());
    this.#stopHint ??= stopHint(() => this.#around.post({ type: 'stop' }));
    this.#footer.append(this.#stopHint);
  }

  #stopLive(): void {
    this.#endTicks?.();
    this.#endTicks = undefined;
    this.#live = undefined;
    this.#stopHint?.remove();
    this.#stopHint = undefined;
  }

  #drawState(before: ReplyView | undefined): void {
    const reply = this.#reply;
    this.element.dataset['state'] = reply.retry === undefined ? reply.state : 'retrying';
    if (before === undefined || JSON.stringify(reply.problem) !== JSON.stringify(before.problem)) this.#drawProblem();
    this.#offerActs();
    this.#versions.draw(reply);
    if (this.#live !== undefined) {
      this.#drawLive();
      return;
    }
    this.#around.tokenLengths.learn(reply);
    const isEmpty = reply.state === 'done' && this.#answer.length === 0;
    setText(this.#waiting, isEmpty ? l10n.t('The reply has no text') : '');
    const hasText = this.#answer.length > 0 || this.#reasoning.length > 0;
    const { promptTokens: _prompt, ...shown } = reply.metrics;
    const figures = hasText || reply.state !== 'failed' ? speedParts(shown) : [];
    this.#reasoning.name(reply.state === 'elsewhere' ? 'thinking' : reply.thoughtSeconds);
    const end = endWord(reply);
    const words = [...figures, answeredByWord(reply), end].filter((word) => word !== undefined);
    this.#metrics.show(words, metricsTooltip(reply));
    this.speedLine.show(figures.length === 0 ? {} : reply.metrics, false);
    this.speedLine.element.hidden = this.speedLine.totalSeconds === 0;
  }

  #drawLive(): void {
    const live = this.#live;
    if (live === undefined) return;
    const { retry } = this.#reply;
    this.speedLine.element.hidden = retry !== undefined;
    if (retry !== undefined) {
      setText(this.#waiting, '');
      const next = l10n.t('attempt {0} in {1}', retry.attempt, waitText(retry.at - hostNow()));
      this.#metrics.show([plain(retry.reason, true), plain(next)], '');
      return;
    }
    const now = performance.now();
    const metrics = live.metrics(now);
    const nothingYet = !live.hasText;
    const known = speedParts(metrics);
    // Its space is reserved from the first token on, so that nothing moves when it's known.
    const figures = nothingYet || metrics.tokensPerSecond !== undefined ? known : [unknownRate(), ...known];
    const tooltip = marksExplained(...figures.map(({ value }) => value)).join('\n');
    const silentMs = live.silentMs(now);
    this.#metrics.show(silentMs < SILENCE_MS ? figures : [...figures, this.#stillWaiting(silentMs)], tooltip, true);
    this.#reasoning.name(this.#answer.length === 0 ? 'thinking' : this.#reasoning.seconds);
    setText(this.#waiting, nothingYet ? l10n.t('Waiting for the first token') : '');
    this.speedLine.show(metrics, nothingYet);
  }

  #stillWaiting(silentMs: number): MetricWord {
    if (!this.#saidSilent) this.#around.say(l10n.t('Still waiting for {0}', modelLabel(this.#reply.model)));
    this.#saidSilent = true;
    return plain(l10n.t('no data for {0}', elapsedText(silentMs / 1000)));
  }

  #offerActs(): void {
    const offers = new Set(this.#reply.problem?.actions.map(({ kind }) => kind));
    const isElsewhere = this.#reply.state === 'elsewhere';
    // The card's own Retry is better, because it knows when a retry makes sense.
    this.#retry.hidden = isElsewhere || offers.has('retry');
    this.#delete.hidden = isElsewhere;
    this.#continue.hidden = !this.#isLast || offers.has('continue') || !isCutShort(this.#reply);
  }

  #drawProblem(): void {
    const { problem } = this.#reply;
    const actions = problem?.actions.filter(({ kind }) => this.#isLast || kind !== 'continue') ?? [];
    this.#problem.show(problem && { ...problem, actions });
  }
}

/** True if a model could continue where the text ends. */
function isCutShort({ state, finishReason, text }: ReplyView): boolean {
  if (text === '') return false;
  if (state === 'done') return !isWholeEnding(finishReason);
  return state === 'incomplete' || state === 'interrupted' || state === 'stopped';
}

function plain(text: string, notable = false): MetricWord {
  return { text, notable };
}

/**
 * A shortcut for the mouse, next to what it stops. The composer has the labeled Stop button, so this one is hidden from
 * the keyboard and from screen readers.
 */
function stopHint(stop: () => void): HTMLElement {
  const hint = element(
    'button',
    { type: 'button', class: 'stop-hint', tabindex: '-1', 'aria-hidden': 'true' },
    l10n.t('Stop'),
    element('kbd', {}, 'Esc'),
  );
  hint.addEventListener('click', stop);
  return hint;
}
