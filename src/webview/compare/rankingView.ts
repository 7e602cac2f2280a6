import * as l10n from '@vscode/l10n';
import type { CompareRankingView, RankingRowView } from '../../shared/compareProtocol.ts';
import { intervalSentence, winsText } from '../../words/ranking.ts';
import { element, iconButton } from '../kit/element.ts';

/** Models by blind votes, each with its interval: a score is never shown without one. */
export class RankingView {
  readonly element = element('section', { class: 'ranking', 'aria-label': l10n.t('Ranking'), hidden: true });
  readonly #closed: () => void;

  /** @param closed the focus is to go elsewhere */
  constructor(closed: () => void) {
    this.#closed = closed;
  }

  show({ votes, rows }: CompareRankingView): void {
    const close = iconButton('close', l10n.t('Close'), () => {
      this.element.hidden = true;
      this.#closed();
    });
    const count = votes === 1 ? l10n.t('1 blind vote') : l10n.t('{0} blind votes', votes);
    const head = element(
      'div',
      { class: 'ranking-head' },
      element('h2', {}, l10n.t('Ranking')),
      element('span', {}, count),
      close,
    );
    const isShared = rows.some(({ rank }) => rank.includes('–'));
    this.element.replaceChildren(
      head,
      ...(rows.length === 0
        ? [element('p', {}, l10n.t('No votes yet. Turn on Blind, ask something, and vote on the replies.'))]
        : [element('ul', { class: 'ranking-rows' }, ...rows.map(drawRow))]),
      ...(isShared
        ? [element('p', {}, l10n.t('Where ranks are shared, the intervals overlap: none is clearly better.'))]
        : []),
    );
    this.element.hidden = false;
    close.focus();
  }
}

function drawRow({ model, rank, wins, duels, share, low, high, facts }: RankingRowView): HTMLElement {
  const line = element('span', { class: rank === '' ? 'ranking-line unsure' : 'ranking-line' });
  line.style.insetInlineStart = percent(low);
  line.style.width = percent(high - low);
  const dot = element('span', { class: 'ranking-dot' });
  dot.style.insetInlineStart = percent(share);
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
    element('span', { class: 'ranking-model' }, model, element('small', {}, facts)),
    track,
    element(
      'span',
      { class: 'ranking-wins' },
      winsText(wins, duels),
      ...(rank === '' ? [element('small', {}, l10n.t('Not enough votes to tell'))] : []),
    ),
  );
}

function percent(share: number): string {
  return `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`;
}
