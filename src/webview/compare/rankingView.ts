import * as l10n from '@vscode/l10n';
import type {
  CompareRankingView,
  CountedVotes,
  RankingFilter,
  RankingRowView,
} from '../../shared/protocol/compareProtocol.ts';
import { intervalSentence, votesText, winsText } from '../../words/ranking.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { percentText } from '../../words/numberText.ts';
import { element, iconButton } from '../kit/element.ts';
import { cssShare } from '../kit/cssShare.ts';

interface RankingActs {
  /** Counts other votes. */
  readonly choose: (filter: RankingFilter) => void;
  /** The focus is moving elsewhere. */
  readonly closed: () => void;
}

/** Models ranked by blind votes, each with its interval: a score is never shown without one. */
export class RankingView {
  readonly element = element('section', { class: 'ranking', 'aria-label': l10n.t('Ranking'), hidden: true });
  readonly #acts: RankingActs;
  #filter: RankingFilter = {};

  constructor(acts: RankingActs) {
    this.#acts = acts;
  }

  show(ranking: CompareRankingView): void {
    const { votes, rows } = ranking;
    const wasHidden = this.element.hidden;
    const hadFocus = this.element.contains(document.activeElement);
    this.#filter = ranking.filter;
    const close = iconButton('close', l10n.t('Close'), () => {
      this.element.hidden = true;
      this.#acts.closed();
    });
    const filter = this.#filterOf(ranking);
    const head = element(
      'div',
      { class: 'ranking-head' },
      element('h2', {}, l10n.t('Ranking')),
      element('span', {}, votesText(votes)),
      ...(filter === undefined ? [] : [filter]),
      close,
    );
    const isShared = rows.some(({ rank }) => rank.includes('–'));
    this.element.replaceChildren(
      head,
      ...(rows.length === 0
        ? [element('p', {}, l10n.t('No votes yet. Turn on Blind, ask something, and vote on the replies.'))]
        : [element('ul', { class: 'ranking-rows' }, scaleRow(), ...rows.map(drawRow))]),
      ...(isShared
        ? [element('p', {}, l10n.t('Where ranks are shared, the intervals overlap: none is clearly better.'))]
        : []),
    );
    this.element.hidden = false;
    if (wasHidden) close.focus();
    else if (hadFocus) (filter ?? close).focus();
  }

  /** There's another vote. */
  again(): void {
    if (!this.element.hidden) this.#acts.choose(this.#filter);
  }

  /** Which votes count: all, those with a tag, or those on a prompt. */
  #filterOf({ filter, tags, prompts }: CompareRankingView): HTMLSelectElement | undefined {
    if (tags.length === 0 && prompts.length === 0) return undefined;
    const select = element('select', { class: 'ranking-filter', 'aria-label': l10n.t('Votes to count') });
    const all: RankingFilter[] = [{}];
    select.append(element('option', { value: '0' }, l10n.t('All votes')));
    const group = (label: string, counted: readonly CountedVotes[], filterOf: (name: string) => RankingFilter) => {
      if (counted.length === 0) return;
      const options = counted.map(({ name, votes }) => {
        all.push(filterOf(name));
        return element('option', { value: String(all.length - 1) }, `${name} (${votes})`);
      });
      select.append(element('optgroup', { label }, ...options));
    };
    group(l10n.t('Tags'), tags, (tag) => ({ tag }));
    group(l10n.t('Prompts'), prompts, (prompt) => ({ prompt }));
    const chosen = all.findIndex(({ tag, prompt }) => tag === filter.tag && prompt === filter.prompt);
    select.value = String(Math.max(0, chosen));
    select.addEventListener('change', () => this.#acts.choose(all[Number(select.value)] ?? {}));
    return select;
  }
}

/** What the lines of the rows below are drawn on. Screen readers hear each interval as a sentence. */
function scaleRow(): HTMLElement {
  const [none, all] = [0, 1].map((share) => element('span', {}, percentText(share)));
  const name = element('span', {}, l10n.t('won, with its confidence interval'));
  return element(
    'li',
    { class: 'ranking-scale', 'aria-hidden': 'true' },
    element('span', { class: 'ranking-axis' }, none ?? '', name, all ?? ''),
  );
}

function drawRow({ model, rank, wins, duels, share, low, high, facts }: RankingRowView): HTMLElement {
  const line = element('span', { class: rank === '' ? 'ranking-line unsure' : 'ranking-line' });
  line.style.insetInlineStart = cssShare(low);
  line.style.width = cssShare(high - low);
  const dot = element('span', { class: 'ranking-dot' });
  dot.style.insetInlineStart = cssShare(share);
  const track = element(
    'span',
    { class: 'ranking-track', role: 'img', 'aria-label': intervalSentence(share, low, high) },
    line,
    dot,
  );
  return element(
    'li',
    {},
    element('span', { class: 'ranking-rank' }, rank === '' ? '–' : rank),
    element('span', { class: 'ranking-model' }, modelLabel(model), element('small', {}, facts)),
    track,
    element(
      'span',
      { class: 'ranking-wins' },
      winsText(wins, duels),
      ...(rank === '' ? [element('small', {}, l10n.t('Not enough votes to tell'))] : []),
    ),
  );
}
