import * as l10n from '@vscode/l10n';
import type { ToHost } from '../../shared/chatProtocol.ts';
import {
  type CompareColumnView,
  type CompareEstimate,
  type CompareReplyView,
  type CompareSnapshot,
  maxColumns,
  type ToCompareHost,
  type ToComparePage,
  type ToComparePageHandlers,
} from '../../shared/compareProtocol.ts';
import type { Problem } from '../../shared/problem.ts';
import { additionProblems } from '../../words/additionProblems.ts';
import { maxTextLength } from '../../shared/messageLimits.ts';
import { tokensText } from '../../words/tokens.ts';
import { Composer } from '../chat/composer/composer.ts';
import { TokenLengths } from '../chat/speed/tokenLengths.ts';
import { Announcer } from '../kit/announcer.ts';
import { element, icon, iconButton, setText, textButton } from '../kit/element.ts';
import { FrameLoop } from '../kit/frameLoop.ts';
import type { Host } from '../kit/host.ts';
import { keepFocus } from '../kit/keepFocus.ts';
import { openMenu } from '../kit/popupMenu.ts';
import { ProblemCard } from '../kit/problemCard.ts';
import { Ticker } from '../kit/ticker.ts';
import type { ColumnSurroundings } from './columnReply.ts';
import { ColumnView } from './columnView.ts';
import { composerMessageOf } from './composerMessageOf.ts';
import { OrderSwitch } from './orderSwitch.ts';
import { RaceRunner } from './raceRunner.ts';
import { RaceView } from './raceView.ts';
import { RankingView } from './rankingView.ts';
import { VoteBar } from './voteBar.ts';
import { raceEndWords, raceStartWords } from './raceNews.ts';

const TICK_MS = 250;
/** Several begin or end in the same moment, and each is to be heard. */
const SAY_MS = 120;

/** What the page keeps of itself over a reload. */
export interface KeptComparison {
  readonly comparisonId: string;
  readonly draft: string;
}

type AnyHandler = { handle(message: ToComparePage): void }['handle'];

/** The comparison page: columns of replies below their race, and one composer for all. */
export class ComparePage {
  readonly element: HTMLElement;
  readonly #host: Host<KeptComparison, ToCompareHost, ToComparePage>;
  readonly #announcer = new Announcer();
  readonly #ticker = new Ticker(TICK_MS);
  readonly #frames: FrameLoop;
  readonly #tokenLengths = new TokenLengths();
  readonly #race = new RaceView();
  readonly #composer: Composer;
  readonly #order: OrderSwitch;
  readonly #estimate = element('span', { class: 'compare-estimate' });
  readonly #refusal = element('div', { class: 'refusal' });
  readonly #question = element('div', { class: 'compare-question', hidden: true });
  readonly #columns = element('div', { class: 'compare-columns' });
  readonly #tabs = element('div', { class: 'compare-tabs', role: 'tablist', 'aria-label': l10n.t('Models') });
  readonly #empty: HTMLElement;
  readonly #add: HTMLButtonElement;
  readonly #blind: HTMLButtonElement;
  readonly #vote: VoteBar;
  readonly #ranking: RankingView;
  readonly #around: ColumnSurroundings;
  #views: readonly ColumnView[] = [];
  #state: CompareSnapshot | undefined;
  #shownColumn = '';
  /** By reply, of the last question. */
  readonly #runners = new Map<string, RaceRunner>();
  #endTicks: (() => void) | undefined;
  #card: ProblemCard | undefined;
  #onCopied: (() => void) | undefined;
  #said: string[] = [];
  #seq = 0;
  #isStale = false;
  /** Not sent while a reply runs. */
  #isRunning = false;

  constructor(host: Host<KeptComparison, ToCompareHost, ToComparePage>) {
    this.#host = host;
    const post = (message: ToCompareHost): void => host.post(message);
    this.#frames = new FrameLoop({
      afterDrawing: () => this.#views.forEach(({ follower }) => follower.settle()),
      onIdle: () => undefined,
    });
    this.#around = {
      post,
      frames: this.#frames,
      ticker: this.#ticker,
      act: (replyId, act, onDone) => {
        this.#onCopied = onDone ?? (() => this.#say(l10n.t('Copied')));
        post({ type: 'actOnReply', replyId, act });
      },
      code: {
        copy: (text, onCopied) => {
          this.#onCopied = onCopied;
          this.#postText(text, { type: 'copyText', text });
        },
        insert: (text) => this.#postText(text, { type: 'insertCode', text }),
        open: (text, language) => this.#postText(text, { type: 'openCode', text, language }),
        compare: (text) => this.#postText(text, { type: 'compareCode', text }),
        openLink: (href) => post({ type: 'openLink', href }),
      },
    };
    this.#order = new OrderSwitch((order) => post({ type: 'setOrder', order }));
    const composerPost = (message: ToHost): void => {
      const own = composerMessageOf(message);
      if (own !== undefined) post(own);
    };
    this.#composer = new Composer(
      {
        ask: (text, attachments) => this.#ask(text, attachments),
        optionsChanged: (options) => post({ type: 'optionsChanged', conversationId: this.#id, options }),
        draftChanged: (text) => this.#draftChanged(text),
      },
      {
        post: composerPost,
        say: (text) => this.#say(text),
        refuse: (problem) => this.#refuse(problem),
      },
      { beside: [this.#order.element], beforeSend: [this.#estimate], stop: l10n.t('Stop All') },
    );
    this.#add = textButton('button secondary', '', () => post({ type: 'chooseModel' }));
    this.#add.append(icon('add'), l10n.t('Add Model…'));
    this.#blind = textButton('button secondary blind-switch', '', () =>
      post({ type: 'setBlind', isBlind: this.#state?.isBlind !== true }),
    );
    this.#blind.title = l10n.t('Hides names, speeds, and prices until you vote for a reply.');
    const ranking = textButton('button secondary', l10n.t('Ranking'), () => post({ type: 'showRanking' }));
    ranking.prepend(icon('graph'));
    const more = iconButton('ellipsis', l10n.t('More Actions…'), () =>
      openMenu(more, l10n.t('More Actions…'), [
        [
          { label: l10n.t('New Comparison'), run: () => post({ type: 'newComparison' }) },
          { label: l10n.t('Open Comparison…'), run: () => post({ type: 'openComparison' }) },
        ],
        [{ label: l10n.t('Export Comparison…'), run: () => post({ type: 'exportComparison' }) }],
      ]),
    );
    this.#vote = new VoteBar((choice) => post({ type: 'vote', choice }));
    this.#ranking = new RankingView(() => ranking.focus());
    this.#empty = element(
      'div',
      { class: 'compare-empty' },
      element('h2', {}, l10n.t('One question, several models')),
      element('p', {}, l10n.t('Replies stream side by side, with their speed on one scale.')),
    );
    this.element = element(
      'main',
      { class: 'compare', hidden: true },
      element(
        'header',
        { class: 'compare-head' },
        element('h1', {}, l10n.t('Compare Models')),
        element('div', { class: 'space' }),
        this.#blind,
        ranking,
        this.#add,
        more,
      ),
      this.#ranking.element,
      this.#question,
      this.#race.element,
      this.#tabs,
      this.#columns,
      this.#empty,
      this.#vote.element,
      element('div', { class: 'foot' }, this.#refusal, this.#composer.element),
      this.#announcer.element,
    );
  }

  /** Binds what belongs to the whole page, and asks for its state. */
  start(): void {
    document.addEventListener('keydown', (event) => this.#keyDown(event));
    window.addEventListener('pagehide', () => this.#composer.saveOptions());
    new ResizeObserver(() => this.#drawRace()).observe(this.element);
    this.#host.post({ type: 'ready' });
  }

  receive(message: ToComparePage): void {
    if (message.type !== 'snapshot' && message.seq !== this.#seq + 1) {
      // Something was missed: the whole comes instead.
      if (!this.#isStale) this.#host.post({ type: 'ready' });
      this.#isStale = true;
      return;
    }
    if (this.#isStale && message.type !== 'snapshot') return;
    this.#isStale = false;
    this.#seq = message.seq;
    const focused = document.activeElement;
    const handle: AnyHandler = this.#handlers[message.type];
    handle(message);
    keepFocus(focused, () => this.#composer.focus());
  }

  get #id(): string {
    return this.#state?.comparisonId ?? '';
  }

  readonly #handlers: ToComparePageHandlers = {
    snapshot: ({ snapshot }) => this.#showAll(snapshot),
    columnsChanged: ({ columns }) => {
      this.#change({ columns });
      this.#showColumns();
    },
    turnChanged: ({ turn }) => {
      const { turns = [] } = this.#state ?? {};
      const at = turns.findIndex(({ id }) => id === turn.id);
      this.#change({ turns: at === -1 ? [...turns, turn] : turns.with(at, turn) });
      this.#showColumns();
      for (const { follower } of this.#views) if (at === -1) follower.toBottom();
    },
    replyShown: ({ reply }) => this.#showReply(reply),
    replyGrew: ({ replyId, part, text, pieces }) => {
      const { replies = [] } = this.#state ?? {};
      const at = replies.findIndex(({ id }) => id === replyId);
      const reply = replies[at];
      if (reply === undefined) return;
      this.#change({ replies: replies.with(at, { ...reply, [part]: reply[part] + text }) });
      this.#runners.get(replyId)?.grew(text.length, performance.now(), pieces);
      this.#views.find(({ id }) => id === reply.columnId)?.grow(reply.turnId, part, text);
    },
    rankingShown: ({ ranking }) => this.#ranking.show(ranking),
    estimated: ({ estimate }) => this.#showEstimate(estimate),
    setupChanged: ({ options, order, isBlind }) => {
      this.#change({ options, order, isBlind });
      this.#showSetup(false);
    },
    attachmentsChanged: ({ attachments }) => {
      this.#change({ attachments });
      this.#showAttachments();
      this.#host.post({ type: 'draftChanged', conversationId: this.#id, text: this.#composer.text, version: 0 });
    },
    asking: ({ isAsking }) => this.#composer.attachments.asking(isAsking),
    notAdded: ({ id, problem }) => {
      this.#composer.attachments.refused(id);
      if (problem !== undefined) this.#refuse(problem);
    },
    pictureRead: ({ id, name, mediaType, bytes }) => {
      const file = new File([new Uint8Array(bytes)], name, { type: mediaType });
      void this.#composer.attachments.addPicture(file, id);
    },
    completions: ({ request, items }) => this.#composer.attachments.complete(request, items),
    composerFocused: () => this.#composer.focus(),
    copied: () => {
      this.#onCopied?.();
      this.#onCopied = undefined;
    },
    askRefused: ({ text, problem }) => {
      this.#composer.attachments.takeBack();
      this.#composer.giveBack(text);
      this.#refuse(problem);
    },
  };

  #change(change: Partial<CompareSnapshot>): void {
    if (this.#state !== undefined) this.#state = { ...this.#state, ...change };
  }

  #showAll(snapshot: CompareSnapshot): void {
    const isOther = snapshot.comparisonId !== this.#id;
    this.#state = snapshot;
    this.element.hidden = false;
    if (isOther) {
      const kept = keptDraft(this.#host.recall(), snapshot.comparisonId);
      this.#composer.setText(snapshot.draft === '' ? kept : snapshot.draft);
      this.#remember(this.#composer.text);
      if (this.#composer.text !== snapshot.draft) this.#draftChanged(this.#composer.text);
    } else if (snapshot.draft !== '') this.#composer.setText(snapshot.draft);
    this.#runners.clear();
    this.#showSetup(isOther);
    this.#showAttachments();
    this.#showEstimate(snapshot.estimate);
    this.#showColumns();
    // One that's reopened is read from its beginning.
    if (isOther && !this.#isRunning) for (const { follower } of this.#views) follower.toTop();
  }

  #showColumns(): void {
    const { columns = [], turns = [], replies = [] } = this.#state ?? {};
    for (const view of this.#views) if (!columns.some(({ id }) => id === view.id)) view.dispose();
    this.#views = columns.map((column) => this.#columnView(column));
    const elements = this.#views.map((view) => view.element);
    if (
      elements.some((each, index) => this.#columns.children[index] !== each) ||
      elements.length !== this.#columns.childElementCount
    )
      this.#columns.replaceChildren(...elements);
    for (const view of this.#views) view.showReplies(turns, replies);
    this.#columns.style.setProperty('--columns', String(Math.max(1, columns.length)));
    const count = columns.length;
    this.#composer.setPlaceholder(count === 1 ? l10n.t('Message 1 model') : l10n.t('Message all {0} models', count));
    this.#add.hidden = count >= maxColumns;
    const last = turns.at(-1);
    this.#empty.hidden = last !== undefined;
    this.element.classList.toggle('empty', last === undefined);
    this.#question.hidden = last === undefined;
    const names = last?.attachments.map(({ name }) => name) ?? [];
    this.#question.replaceChildren(
      element('span', {}, last?.text ?? ''),
      ...(names.length === 0 ? [] : [element('span', { class: 'compare-attached' }, ` · ${names.join(', ')}`)]),
    );
    this.#showTabs();
    this.#showBlind();
    this.#startRunners();
  }

  #columnView(column: CompareColumnView): ColumnView {
    const known = this.#views.find(({ id }) => id === column.id);
    known?.showColumn(column);
    return known ?? new ColumnView(column, this.#around);
  }

  #showBlind(): void {
    const { blindStage = 'off', columns = [] } = this.#state ?? {};
    const isVoting = blindStage === 'voting';
    this.element.classList.toggle('blind', blindStage !== 'off');
    for (const view of this.#views) view.setBlind(blindStage !== 'off');
    const wasHidden = this.#vote.element.hidden;
    this.#vote.element.hidden = !isVoting;
    if (!isVoting) return;
    this.#vote.show(columns);
    if (wasHidden) this.#say(l10n.t('Which reply is better?'));
  }

  #showReply(reply: CompareReplyView): void {
    const { replies = [], turns = [] } = this.#state ?? {};
    const at = replies.findIndex((each) => each.columnId === reply.columnId && each.turnId === reply.turnId);
    const before = replies[at];
    this.#change({ replies: at === -1 ? [...replies, reply] : replies.with(at, reply) });
    this.#tokenLengths.learn(reply);
    const view = this.#views.find(({ id }) => id === reply.columnId);
    if (view?.showReply(reply) === false) view.showReplies(turns, this.#state?.replies ?? []);
    this.#startRunners();
    if (reply.state === 'running') {
      if (reply.isQueued !== true) this.#say(raceStartWords(reply));
    } else if (before?.state === 'running') {
      const standing = this.#drawRace().get(reply.columnId);
      const words = raceEndWords(reply, standing?.isFastest === true);
      if (words !== undefined) this.#say(words);
    }
  }

  /** One for each reply to the last question. */
  #startRunners(): void {
    const { replies = [], turns = [], columns = [] } = this.#state ?? {};
    const last = turns.at(-1)?.id;
    const shown = columns.flatMap(
      ({ id }) => replies.find(({ turnId, columnId }) => turnId === last && columnId === id) ?? [],
    );
    for (const id of this.#runners.keys()) if (!shown.some((reply) => reply.id === id)) this.#runners.delete(id);
    for (const reply of shown) {
      const known = this.#runners.get(reply.id);
      if (known === undefined) {
        this.#runners.set(reply.id, new RaceRunner(reply, this.#tokenLengths.of(reply.model)));
      } else known.show(reply);
    }
    const isRunning = replies.some(({ state }) => state === 'running');
    if (isRunning !== this.#isRunning) {
      this.#isRunning = isRunning;
      this.#composer.setRunning(isRunning);
      this.element.classList.toggle('running', isRunning);
    }
    if (isRunning) this.#endTicks ??= this.#ticker.add(() => this.#drawRace());
    else {
      this.#endTicks?.();
      this.#endTicks = undefined;
    }
    this.#drawRace();
  }

  #drawRace() {
    const { columns = [] } = this.#state ?? {};
    const now = performance.now();
    const order = columns.map(({ id }) => id);
    const runners = [...this.#runners.values()].toSorted(
      (a, b) => order.indexOf(a.reply.columnId) - order.indexOf(b.reply.columnId),
    );
    const views = runners.map((runner) => runner.view(now));
    this.#race.element.hidden = views.length === 0;
    for (const [index, runner] of runners.entries()) {
      const view = views[index];
      const column = this.#views.find(({ id }) => id === runner.reply.columnId);
      if (view !== undefined && runner.isRunning) column?.drawLive(runner.reply.turnId, view);
    }
    const modelOf = (columnId: string) => runners.find(({ reply }) => reply.columnId === columnId)?.reply.model ?? '';
    return this.#race.show(views, modelOf);
  }

  /** Narrow pages show one column at a time. */
  #showTabs(): void {
    if (!this.#views.some(({ id }) => id === this.#shownColumn)) this.#shownColumn = this.#views[0]?.id ?? '';
    this.#tabs.replaceChildren(
      ...this.#views.map((view) => {
        const name = view.model.slice(view.model.lastIndexOf('/') + 1);
        const tab = textButton('compare-tab', name, () => this.#showColumn(view.id));
        tab.setAttribute('role', 'tab');
        tab.title = view.model;
        return tab;
      }),
    );
    this.#markShown();
  }

  #showColumn(id: string): void {
    this.#shownColumn = id;
    this.#markShown();
  }

  #markShown(): void {
    this.#views.forEach(({ id, element: column }, index) => {
      const isShown = id === this.#shownColumn;
      column.classList.toggle('shown', isShown);
      const tab = this.#tabs.children[index];
      tab?.setAttribute('aria-selected', String(isShown));
      tab?.setAttribute('tabindex', isShown ? '0' : '-1');
    });
  }

  #showSetup(isOther: boolean): void {
    if (this.#state === undefined) return;
    const { options, defaults, order, isBlind } = this.#state;
    this.#composer.showOptions(options, defaults, isOther);
    this.#order.show(order);
    this.#blind.setAttribute('aria-pressed', String(isBlind));
    this.#blind.replaceChildren(icon('eye-closed'), isBlind ? l10n.t('Blind: On') : l10n.t('Blind'));
  }

  #showAttachments(): void {
    if (this.#state !== undefined) this.#composer.attachments.show(this.#id, this.#state.attachments, '');
  }

  #showEstimate({ promptTokens, cost }: CompareEstimate): void {
    const parts = [promptTokens === undefined ? '' : l10n.t('{0} to each', tokensText(promptTokens, true)), cost ?? ''];
    setText(this.#estimate, parts.filter((part) => part !== '').join(' · '));
  }

  #ask(text: string, attachments: readonly string[]): boolean {
    if (text.length > maxTextLength) {
      this.#refuse(additionProblems.textTooLong(text.length));
      return false;
    }
    this.#refuse(undefined);
    this.#host.post({ type: 'compare', text, attachments });
    this.#remember('');
    return true;
  }

  #draftChanged(text: string): void {
    this.#remember(text);
    this.#host.post({ type: 'draftChanged', conversationId: this.#id, text, version: 0 });
  }

  #remember(draft: string): void {
    this.#host.remember({ comparisonId: this.#id, draft });
  }

  #refuse(problem: Problem | undefined): void {
    this.#card?.dispose();
    this.#card = undefined;
    this.#refusal.replaceChildren();
    if (problem === undefined) return;
    this.#card = new ProblemCard(
      problem,
      {
        run: (action) => this.#host.post({ type: 'runAction', action }),
        copy: (text) => this.#around.code.copy(text, () => undefined),
        dismiss: () => {
          this.#refuse(undefined);
          this.#composer.focus();
        },
      },
      this.#ticker,
    );
    this.#refusal.append(this.#card.element);
    this.#say(problem.title);
  }

  #postText(text: string, message: ToCompareHost): void {
    if (text.length > maxTextLength) this.#refuse(additionProblems.textTooLong(text.length));
    else this.#host.post(message);
  }

  #say(text: string): void {
    this.#said.push(text);
    if (this.#said.length > 1) return;
    setTimeout(() => this.#announcer.say(this.#said.splice(0).join(' ')), SAY_MS);
  }

  #keyDown(event: KeyboardEvent): void {
    if (event.isComposing || event.defaultPrevented) return;
    if (event.key === 'Escape' && this.#isRunning) this.#host.post({ type: 'stop' });
    else if (event.key === 'Escape' && this.#composer.closeParameters()) return event.preventDefault();
    else if (!this.#vote.element.hidden && !isTyping(event) && this.#vote.takes(event.key))
      return event.preventDefault();
    else if (event.key === 'F6') this.#nextPart(event.shiftKey);
    else if (event.target instanceof Element && event.target.closest('.compare-tabs')) return this.#moveTab(event);
    else return;
    event.preventDefault();
  }

  /** From column to column, then to the composer. */
  #nextPart(isBack: boolean): void {
    const stops = [...this.#views.filter(({ element: each }) => each.checkVisibility()), undefined];
    const active = document.activeElement;
    const at = stops.findIndex((view) => view?.element.contains(active) === true);
    const from = at === -1 ? stops.length - 1 : at;
    const next = stops.at((from + (isBack ? -1 : 1)) % stops.length);
    if (next === undefined) this.#composer.focus();
    else next.focus();
  }

  #moveTab(event: KeyboardEvent): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = this.#views.findIndex(({ id }) => id === this.#shownColumn);
    const next = this.#views.at((at + step) % this.#views.length);
    if (next === undefined) return;
    this.#showColumn(next.id);
    const tab = this.#tabs.children[this.#views.indexOf(next)];
    if (tab instanceof HTMLElement) tab.focus();
  }
}

/** A key that's a letter of some text, or that a button takes as a click. */
function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  return ctrlKey || metaKey || altKey || isField || target instanceof HTMLSelectElement;
}

function keptDraft(kept: unknown, comparisonId: string): string {
  if (typeof kept !== 'object' || kept === null || !('comparisonId' in kept) || !('draft' in kept)) return '';
  return kept.comparisonId === comparisonId && typeof kept.draft === 'string' ? kept.draft : '';
}
