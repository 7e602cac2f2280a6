import * as l10n from '@vscode/l10n';
import {
  type CompareColumnView,
  type CompareReplyView,
  type CompareSnapshot,
  maxColumns,
  type ToCompareHost,
  type ToComparePage,
  type CompareTurnView,
} from '../../shared/protocol/compareProtocol.ts';
import { handleMessage, type Handlers } from '../../shared/protocol/pageMessage.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { FileDrop } from '../chat/composer/fileDrop.ts';
import { element } from '../kit/element.ts';
import { FrameLoop } from '../kit/frameLoop.ts';
import type { Host } from '../kit/host/host.ts';
import { keepFocus } from '../kit/keepFocus.ts';
import { LeadingButton } from '../kit/leadingButton.ts';
import { Ticker } from '../kit/ticker.ts';
import { CodePosts } from '../markdown/codePosts.ts';
import type { ColumnSurroundings } from './columnReply.ts';
import { ColumnStrip } from './columnStrip.ts';
import { CompareFoot } from './compareFoot.ts';
import { CompareHead } from './compareHead.ts';
import { compareKeys } from './compareKeys.ts';
import { GatheredNews } from './gatheredNews.ts';
import { RaceBoard } from './race/raceBoard.ts';
import { raceEndWords } from './race/raceNews.ts';
import { RankingView } from './rankingView.ts';
import { VoteBar } from './voteBar.ts';

const TICK_MS = 250;
/** More columns take turns: laying out and painting four at once can take longer than a frame has. */
const DRAWN_AT_ONCE = 2;

/** What the page remembers across a reload. */
export interface KeptComparison {
  readonly comparisonId: string;
  readonly draft: string;
}

/** The comparison page: columns of replies below their race, and one composer for all. */
export class ComparePage {
  readonly element: HTMLElement;
  readonly #host: Host<KeptComparison, ToCompareHost, ToComparePage>;
  readonly #news = new GatheredNews();
  readonly #head: CompareHead;
  readonly #race: RaceBoard;
  readonly #strip: ColumnStrip;
  readonly #foot: CompareFoot;
  readonly #vote: VoteBar;
  readonly #ranking: RankingView;
  readonly #question = new QuestionView();
  readonly #leading: LeadingButton;
  #state: CompareSnapshot | undefined;
  readonly #code: CodePosts;
  #seq = 0;
  #isStale = false;
  #voteStage: 'off' | 'voting' | 'given' = 'off';
  /** Not sent while a reply is running. */
  #isRunning = false;

  constructor(host: Host<KeptComparison, ToCompareHost, ToComparePage>) {
    this.#host = host;
    const post = (message: ToCompareHost): void => host.post(message);
    const ticker = new Ticker(TICK_MS);
    this.#head = new CompareHead(post);
    this.#race = new RaceBoard(ticker, {
      drawLive: ({ columnId, turnId }, runner) => this.#strip.view(columnId)?.drawLive(turnId, runner),
      nameOf: ({ columnId, model }) => this.#strip.view(columnId)?.nameOf(model) ?? modelLabel(model),
    });
    this.#code = new CodePosts(post, (text) => this.#foot.fits(text));
    const act: ColumnSurroundings['act'] = (replyId, name) => {
      this.#code.copying(() => this.#news.say(l10n.t('Copied')));
      post({ type: 'actOnReply', replyId, act: name });
    };
    const frames = new FrameLoop(
      {
        afterDrawing: () => this.#strip.views.forEach(({ follower }) => follower.settle()),
        onIdle: () => undefined,
      },
      DRAWN_AT_ONCE,
    );
    this.#strip = new ColumnStrip({ post, ticker, frames, act, code: this.#code.actions });
    this.#foot = new CompareFoot(
      {
        post,
        say: (text) => this.#news.say(text),
        remember: (draft) => host.remember({ comparisonId: this.#id, draft }),
        copy: this.#code.copy,
        comparisonId: () => this.#id,
      },
      ticker,
    );
    this.#vote = new VoteBar((choice, tag) => {
      const turnId = this.#state?.turns.at(-1)?.id;
      if (turnId !== undefined) post({ type: 'vote', turnId, choice, ...(tag !== '' && { tag }) });
    });
    this.#ranking = new RankingView({
      choose: (filter) => post({ type: 'showRanking', ...filter }),
      closed: () => this.#head.focusRanking(),
    });
    this.element = element(
      'main',
      { class: 'compare', hidden: true },
      this.#head.element,
      this.#ranking.element,
      this.#question.element,
      this.#race.element,
      this.#strip.tabs,
      this.#strip.element,
      this.#question.invitation,
      this.#vote.element,
      this.#foot.element,
      this.#news.element,
    );
    this.#leading = new LeadingButton(this.element);
    this.element.append(new FileDrop(this.element, this.#foot.composer.attachments).element);
  }

  /** Registers listeners for the whole page, and asks for its state. */
  start(): void {
    document.addEventListener('keydown', (event) =>
      compareKeys(event, {
        strip: this.#strip,
        composer: this.#foot.composer,
        notes: this.#foot.notes,
        vote: this.#vote,
        stop: () => (this.#isRunning ? this.#host.post({ type: 'stop' }) : false),
      }),
    );
    window.addEventListener('pagehide', () => {
      this.#foot.composer.saveOptions();
      for (const view of this.#strip.views) view.saveOptions();
    });
    new ResizeObserver(() => this.#race.draw()).observe(this.element);
    this.#host.post({ type: 'ready' });
  }

  receive(message: ToComparePage): void {
    if (message.type !== 'snapshot' && message.seq !== this.#seq + 1) {
      // Something was missed, so the whole state is sent.
      if (!this.#isStale) this.#host.post({ type: 'ready' });
      this.#isStale = true;
      return;
    }
    if (this.#isStale && message.type !== 'snapshot') return;
    this.#isStale = false;
    this.#seq = message.seq;
    const focused = document.activeElement;
    const wasRunning = this.#isRunning;
    handleMessage(this.#handlers, message);
    // A running reply only grows.
    const isGrowth = message.type === 'replyShown' && message.reply.state === 'running';
    if (!isGrowth || this.#isRunning !== wasRunning) this.#leading.changed();
    keepFocus(focused, () => this.#foot.composer.focus());
  }

  get #id(): string {
    return this.#state?.comparisonId ?? '';
  }

  readonly #handlers: Handlers<ToComparePage> = {
    snapshot: ({ snapshot }) => this.#showAll(snapshot),
    columnsChanged: ({ columns }) => {
      const before = this.#state?.columns ?? [];
      this.#change({ columns });
      // Prices and speeds change often, and shouldn't take a selection or an open part from the replies.
      if (namesOf(columns) === namesOf(before)) this.#strip.update(columns);
      else this.#showColumns();
      this.#showSetup(false);
    },
    turnChanged: ({ turn }) => {
      const { turns = [] } = this.#state ?? {};
      const at = turns.findIndex(({ id }) => id === turn.id);
      this.#change({ turns: at === -1 ? [...turns, turn] : turns.with(at, turn) });
      this.#showColumns();
      for (const { follower } of this.#strip.views) if (at === -1) follower.toBottom();
    },
    replyShown: ({ reply }) => this.#showReply(reply),
    replyGrew: ({ replyId, part, text, pieces }) => {
      const { replies = [] } = this.#state ?? {};
      const at = replies.findIndex(({ id }) => id === replyId);
      const reply = replies[at];
      if (reply === undefined) return;
      this.#change({ replies: replies.with(at, { ...reply, [part]: reply[part] + text }) });
      this.#race.grew(replyId, text.length, pieces);
      this.#strip.view(reply.columnId)?.grow(reply.turnId, part, text);
    },
    rankingShown: ({ ranking }) => this.#ranking.show(ranking),
    estimated: ({ estimate }) => this.#foot.showEstimate(estimate),
    setupChanged: ({ setup, defaults }) => {
      this.#change({ setup, defaults });
      this.#showSetup(false);
    },
    attachmentsChanged: ({ attachments }) => {
      const ids = attachments.items.map(({ id }) => id).join();
      const isOther = ids !== this.#state?.attachments.items.map(({ id }) => id).join();
      this.#change({ attachments });
      this.#showAttachments();
      // A question that the user is asked also arrives here, and the host keeps what was sent until its answer.
      if (isOther) this.#foot.draftChanged(this.#foot.composer.text);
    },
    adding: (addition) => this.#foot.composer.attachments.adding(addition),
    notAdded: ({ id, problem }) => {
      this.#foot.composer.attachments.refused(id);
      if (problem !== undefined) this.#foot.refuse(problem);
    },
    pictureRead: ({ conversationId, id, name, mediaType, bytes }) => {
      const file = new File([new Uint8Array(bytes)], name, { type: mediaType });
      void this.#foot.composer.attachments.addPicture(file, id, conversationId);
    },
    completions: ({ request, items }) => this.#foot.composer.attachments.complete(request, items),
    promptRows: ({ request, rows }) => this.#foot.composer.attachments.completePrompt(request, rows),
    composerFocused: () => this.#foot.composer.focus(),
    notesChanged: ({ notes }) => {
      this.#change({ notes });
      this.#showNotes();
    },
    copied: () => this.#code.copied(),
    askRefused: ({ text, problem }) => {
      this.#foot.composer.attachments.takeBack();
      this.#foot.composer.giveBack(text);
      this.#foot.refuse(problem);
    },
  };

  #change(change: Partial<CompareSnapshot>): void {
    if (this.#state !== undefined) this.#state = { ...this.#state, ...change };
  }

  #showAll(snapshot: CompareSnapshot): void {
    const isOther = snapshot.comparisonId !== this.#id;
    const { composer } = this.#foot;
    this.#state = snapshot;
    this.element.hidden = false;
    if (isOther) {
      const kept = keptDraft(this.#host.recall(), snapshot.comparisonId);
      composer.setText(snapshot.draft === '' ? kept : snapshot.draft);
      this.#host.remember({ comparisonId: this.#id, draft: composer.text });
      if (composer.text !== snapshot.draft) this.#foot.draftChanged(composer.text);
    } else if (snapshot.draft !== '') composer.setText(snapshot.draft);
    this.#race.forget();
    this.#showColumns();
    this.#showSetup(isOther);
    this.#showAttachments();
    this.#showNotes();
    this.#foot.showEstimate(snapshot.estimate);
    // A reopened comparison starts at the beginning.
    if (isOther && !this.#isRunning) for (const { follower } of this.#strip.views) follower.toTop();
  }

  #showColumns(): void {
    const { columns = [], turns = [], replies = [], blindStage = 'off' } = this.#state ?? {};
    const isBlind = blindStage !== 'off';
    this.element.classList.toggle('blind', isBlind);
    this.#strip.show(columns, turns, replies, isBlind);
    this.#head.showRoom(columns.length < maxColumns);
    this.element.classList.toggle('empty', turns.length === 0);
    this.#question.show(turns.at(-1));
    this.#showVote();
    this.#startRunners();
  }

  #showVote(): void {
    const { blindStage, columns = [], turns = [], replies = [], tags, given } = this.#state ?? {};
    const last = turns.at(-1)?.id;
    const before = this.#voteStage;
    const isGiven = given !== undefined && given.turnId === last;
    this.#voteStage = blindStage === 'voting' ? 'voting' : isGiven ? 'given' : 'off';
    this.#vote.element.hidden = this.#voteStage === 'off';
    if (this.#voteStage === 'given' && given !== undefined) {
      this.#vote.showGiven(given.words);
      if (before === 'voting') {
        this.#news.say(given.words);
        this.#ranking.again();
      }
    }
    if (blindStage !== 'voting' || tags === undefined) return;
    const canWin = (id: string) =>
      replies.some((reply) => reply.turnId === last && reply.columnId === id && reply.canWin === true);
    this.#vote.show(
      columns.map((column) => ({ ...column, canWin: canWin(column.id) })),
      tags,
    );
    if (before !== 'voting') this.#news.say(l10n.t('Which reply is better?'));
  }

  #showReply(reply: CompareReplyView): void {
    const { replies = [], turns = [] } = this.#state ?? {};
    const at = replies.findIndex((each) => each.columnId === reply.columnId && each.turnId === reply.turnId);
    const before = replies[at];
    this.#change({ replies: at === -1 ? [...replies, reply] : replies.with(at, reply) });
    this.#race.learn(reply);
    const view = this.#strip.view(reply.columnId);
    if (view?.showReply(reply) === false) view.showReplies(turns, this.#state?.replies ?? []);
    this.#startRunners();
    if (reply.state === 'running') {
      if (before?.state !== 'running') this.#news.begun(view?.nameOf(reply.model) ?? modelLabel(reply.model));
    } else if (before?.state === 'running' || before?.state === 'elsewhere') {
      const words = raceEndWords(reply, this.#race.draw().get(reply.columnId)?.isFastest === true);
      if (words !== undefined) this.#news.say(words);
    }
  }

  #startRunners(): void {
    const { replies = [], turns = [], columns = [] } = this.#state ?? {};
    const { id: last, order, columns: asked = [] } = turns.at(-1) ?? {};
    const isRunning = replies.some(({ state }) => state === 'running');
    if (isRunning !== this.#isRunning) {
      this.#isRunning = isRunning;
      this.#foot.composer.setRunning(isRunning);
      this.element.classList.toggle('running', isRunning);
    }
    const shown = columns.flatMap(
      ({ id }) => replies.find(({ turnId, columnId }) => turnId === last && columnId === id) ?? [],
    );
    this.#race.run(shown, isRunning, asked.length > 1 ? order : undefined);
  }

  #showSetup(isOther: boolean): void {
    if (this.#state === undefined) return;
    const { setup, defaults, columns, blindStage } = this.#state;
    this.#foot.showSetup(setup, defaults, isOther);
    this.#foot.showAddressee(columns, setup, blindStage !== 'off');
    this.#head.showBlind(setup.isBlind);
  }

  #showNotes(): void {
    const added = this.#foot.notes.show(this.#state?.notes ?? []);
    if (added !== '') this.#news.say(added);
  }

  #showAttachments(): void {
    if (this.#state !== undefined) this.#foot.composer.attachments.show(this.#id, this.#state.attachments, '');
  }
}

function keptDraft(kept: unknown, comparisonId: string): string {
  if (typeof kept !== 'object' || kept === null || !('comparisonId' in kept) || !('draft' in kept)) return '';
  return kept.comparisonId === comparisonId && typeof kept.draft === 'string' ? kept.draft : '';
}

/** What decides which replies there are, and how they're named. */
function namesOf(columns: readonly CompareColumnView[]): string {
  return JSON.stringify(columns.map(({ id, model, own, isBlind }) => [id, model, own, isBlind]));
}

/** The last question, above its replies; before the first one, what the page is for. */
class QuestionView {
  readonly element = element('div', { class: 'compare-question', hidden: true });
  readonly invitation = element(
    'div',
    { class: 'compare-empty' },
    element('h2', {}, l10n.t('One question, several models')),
    element('p', {}, l10n.t('Replies stream side by side, with their speed on one scale.')),
  );

  show(last: CompareTurnView | undefined): void {
    this.invitation.hidden = last !== undefined;
    this.element.hidden = last === undefined;
    const names = last?.attachments.map(({ name }) => name) ?? [];
    this.element.replaceChildren(
      element('span', {}, last?.text ?? ''),
      ...(names.length === 0 ? [] : [element('span', { class: 'compare-attached' }, ` · ${names.join(', ')}`)]),
    );
  }
}
