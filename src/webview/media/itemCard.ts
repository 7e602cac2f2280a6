import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { ItemAct, MediaItemView, OutputView } from '../../shared/protocol/mediaProtocol.ts';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import { element, setText, textButton } from '../kit/element.ts';
import { keepFocus } from '../kit/keepFocus.ts';
import { ProblemCard } from '../kit/problemCard.ts';
import type { Ticker } from '../kit/ticker.ts';
import { hostNow } from '../kit/host/hostClock.ts';
import { OutputFrame } from './outputFrame.ts';
import { bytesText } from '../../words/bytes.ts';
import { elapsedText, waitText, wholeDurationText } from '../../words/duration.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { momentText, recentText } from '../../words/moment.ts';

export interface ItemCardActs {
  act(id: string, output: number, act: ItemAct): void;
  runAction(id: string, action: ProblemActionKind, model?: ModelRef): void;
  copy(text: string): void;
}

/** One run: its prompt, its progress, and its actions. */
export class ItemCard {
  readonly element: HTMLElement;
  readonly #acts: ItemCardActs;
  readonly #ticker: Ticker;
  readonly #frames: OutputFrame[] = [];
  readonly #top = element('div', { class: 'outputs' });
  readonly #prompt = element('h2', { class: 'prompt' });
  readonly #facts = element('p', { class: 'facts' });
  readonly #problems = element('div', { class: 'problems' });
  readonly #actions = element('div', { class: 'actions', role: 'group', 'aria-label': l10n.t('Actions') });
  readonly #details = element('details', { class: 'details' }, element('summary', {}, l10n.t('Details')));
  readonly #list = element('dl', {});
  #item: MediaItemView;
  #endClock: (() => void) | undefined;
  #isNear = false;
  /** Indexes of the outputs whose files couldn't be shown. */
  readonly #broken = new Set<number>();
  #drawn = '';
  #cards: ProblemCard[] = [];

  constructor(item: MediaItemView, acts: ItemCardActs, ticker: Ticker) {
    this.#item = item;
    this.#acts = acts;
    this.#ticker = ticker;
    this.#details.append(this.#list);
    const body = element(
      'div',
      { class: 'card-body' },
      this.#prompt,
      this.#facts,
      this.#problems,
      this.#actions,
      this.#details,
    );
    this.element = element('article', { class: 'card', 'data-id': item.id, tabindex: '-1' }, this.#top, body);
    this.show(item);
  }

  get item(): MediaItemView {
    return this.#item;
  }

  show(item: MediaItemView): void {
    const before = this.#item;
    this.#item = item;
    this.element.dataset['state'] = item.state;
    this.element.setAttribute('aria-label', titleOf(item));
    if (before.outputs.some(({ src }, index) => src !== item.outputs[index]?.src)) this.#broken.clear();
    this.#keepingFocus(() => this.#draw());
  }

  /** On the card, so that a key that is pressed twice doesn't press the next button. */
  focus(): void {
    this.element.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: 'nearest' });
  }

  #draw(): void {
    const item = this.#item;
    this.#drawTop();
    // Progress arrives often, and elements that it doesn't change keep the focus.
    const key = JSON.stringify([item.state, item.problem, item.outputs.map(({ state, problem }) => [state, problem])]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#drawBody();
  }

  #keepingFocus(draw: () => void): void {
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    draw();
    keepFocus(focused, () => this.focus());
  }

  setNear(isNear: boolean): void {
    this.#isNear = isNear;
    for (const frame of this.#frames) frame.setNear(isNear);
  }

  dispose(): void {
    this.#endClock?.();
    for (const card of this.#cards) card.dispose();
  }

  #drawTop(): void {
    const { state, outputs } = this.#item;
    if (state === 'running' || state === 'elsewhere') {
      if (this.#endClock === undefined) this.#startClock();
      return;
    }
    this.#endClock?.();
    this.#endClock = undefined;
    if (this.#frames.length !== outputs.length) {
      this.#frames.splice(0);
      this.#top.replaceChildren();
      while (this.#frames.length < outputs.length) {
        const place = this.#frames.length;
        const frame = new OutputFrame(() => {
          this.#broken.add(place);
          this.#keepingFocus(() => this.#drawBody());
        });
        frame.setNear(this.#isNear);
        this.#frames.push(frame);
        this.#top.append(frame.element);
      }
    }
    if (outputs.length === 0) this.#top.replaceChildren();
    outputs.forEach((output, index) => this.#frames[index]?.show(this.#item, output));
  }

  /** The elapsed time, compared with this model's recent times. */
  #startClock(): void {
    const time = element('div', { class: 'elapsed' });
    const words = element('div', { class: 'frame-words' });
    const bar = element('div', { class: 'bar' });
    const track = element('div', { class: 'track', role: 'progressbar', 'aria-label': l10n.t('Generating') }, bar);
    this.#frames.splice(0);
    this.#top.replaceChildren(element('div', { class: 'frame working' }, time, words, track));
    const tick = (): void => {
      const { startedAt, usualSeconds } = this.#item;
      const elapsedMs = hostNow() - startedAt;
      setText(time, elapsedText(elapsedMs / 1000));
      setText(words, progressWords(this.#item, elapsedMs));
      const share = usualSeconds === undefined ? undefined : elapsedMs / 1000 / usualSeconds;
      const isEndless = share === undefined || share >= 1;
      bar.classList.toggle('endless', isEndless);
      bar.style.inlineSize = isEndless ? '' : `${share * 100}%`;
      if (isEndless) track.removeAttribute('aria-valuenow');
      else track.setAttribute('aria-valuenow', String(Math.round(share * 100)));
    };
    this.#endClock = this.#ticker.add(tick);
    tick();
  }

  #drawBody(): void {
    const { prompt, parameters } = this.#item;
    setText(this.#prompt, prompt === '' ? l10n.t('No prompt') : prompt);
    this.#prompt.classList.toggle('none', prompt === '');
    this.#prompt.title = prompt;
    this.#drawFacts();
    this.#drawProblems();
    this.#drawActions();
    this.#list.replaceChildren(
      ...parameters.flatMap(({ name, value }) => [element('dt', {}, name), element('dd', {}, value)]),
    );
  }

  #drawFacts(): void {
    const { model, facts, outputs, startedAt, endedAt, state } = this.#item;
    const bytes = outputs.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
    const parts = [...facts];
    if (bytes > 0) parts.push(bytesText(bytes));
    if (state === 'done' && endedAt !== undefined && endedAt - startedAt >= 1000)
      parts.push(l10n.t('took {0}', wholeDurationText(Math.floor((endedAt - startedAt) / 1000))));
    const time = element('time', {}, recentText(startedAt, hostNow()));
    time.dateTime = new Date(startedAt).toISOString();
    time.title = momentText(startedAt);
    this.#facts.replaceChildren(
      element('span', { class: 'model', title: modelLabel(model) }, modelLabel(model)),
      element('span', {}, parts.length === 0 ? '' : `${parts.join(' · ')} · `, time),
    );
  }

  #drawProblems(): void {
    for (const card of this.#cards) card.dispose();
    const { problem, outputs } = this.#item;
    const problems: readonly Problem[] = [problem, ...outputs.map((output) => output.problem)].filter(
      (each) => each !== undefined,
    );
    this.#cards = problems.map(
      (each) =>
        new ProblemCard(
          each,
          {
            run: (action, model) => this.#acts.runAction(this.#item.id, action, model),
            copy: (text) => this.#acts.copy(text),
          },
          this.#ticker,
        ),
    );
    this.#problems.replaceChildren(...this.#cards.map((card) => card.element), ...silenceNote(outputs));
  }

  #drawActions(): void {
    const { id, state, outputs, isDraft } = this.#item;
    const focused = document.activeElement?.getAttribute('data-act');
    const hadFocus = this.#actions.contains(document.activeElement);
    const act = (wanted: ItemAct, output = 0) => this.#acts.act(id, output, wanted);
    const buttons: HTMLElement[] = [];
    const add: AddAct = (wanted, words, name, output = 0, style = 'link') => {
      const button = textButton(style, words, ({ detail }) => {
        // A double click doesn't mean two runs.
        if (detail < 2) act(wanted, output);
      });
      // The tooltip has more than there's room for.
      if (name !== words) {
        button.title = name;
        button.setAttribute('aria-label', name);
      }
      button.dataset['act'] = `${wanted} ${output}`;
      buttons.push(button);
    };
    if (state === 'running') {
      const stop = textButton('button secondary', l10n.t('Stop'), () => act('stop'));
      stop.title = l10n.t('Stops waiting. The service might still finish the request and charge for it.');
      this.#actions.replaceChildren(stop);
      return;
    }
    if (state === 'elsewhere') return this.#actions.replaceChildren();
    if (isDraft && state === 'done') {
      const words = l10n.t('Generate Final Version');
      add('makeFinal', words, words, 0, 'button secondary lead');
    }
    outputs.forEach((output, index) => this.#fileActions(output, index, add));
    add('runAgain', l10n.t('Run Again'), l10n.t('Run again (charged again)'));
    add('vary', l10n.t('Reuse'), l10n.t('Reuse these settings'));
    add('delete', l10n.t('Delete'), l10n.t('Delete'));
    this.#actions.replaceChildren(...buttons);
    if (hadFocus && focused !== null && focused !== undefined) {
      this.#actions.querySelector<HTMLElement>(`[data-act="${focused}"]`)?.focus();
    }
  }

  #fileActions(output: OutputView, index: number, add: AddAct): void {
    const isSaved = output.state === 'saved';
    if (output.state === 'downloading') add('stop', l10n.t('Stop'), l10n.t('Stop'), index, 'button secondary');
    else if (!isSaved || (this.#broken.has(index) && output.hasLink)) {
      add('download', l10n.t('Download Again'), l10n.t('Download Again'), index, 'button secondary lead');
    }
    // Also for a file that can't be shown here: it was paid for, and other programs can play it.
    if (isSaved) {
      add('save', l10n.t('Save a Copy…'), l10n.t('Save a Copy…'), index);
      add('insert', l10n.t('Insert'), l10n.t('Insert at Cursor'), index);
      add('open', l10n.t('Open'), l10n.t('Open Outside VS Code'), index);
    }
    if (output.hasLink) add('copyLink', l10n.t('Copy Link'), l10n.t('Copy Link'), index);
  }
}

/** @param words on the button @param name in full, for the tooltip and for screen readers */
type AddAct = (act: ItemAct, words: string, name: string, output?: number, style?: string) => void;

/** Desktop VS Code has no decoder for the audio in most MP4 files, and plays them silently. */
function silenceNote(outputs: readonly OutputView[]): readonly HTMLElement[] {
  const isAffected = outputs.some(
    ({ state, mediaType = '' }) => state === 'saved' && /^video\/(mp4|quicktime)\b/.test(mediaType),
  );
  if (!isAffected || document.createElement('video').canPlayType('video/mp4; codecs="mp4a.40.2"') !== '') return [];
  return [
    element(
      'p',
      { class: 'facts' },
      l10n.t("VS Code can't play AAC audio here, so this video might be silent. Open it outside VS Code to hear it."),
    ),
  ];
}

/** A one-line name for a run. */
export function titleOf({ prompt, model }: MediaItemView): string {
  return prompt === '' ? modelLabel(model) : prompt.slice(0, 120);
}

function progressWords({ state, waitingUntil, usualSeconds }: MediaItemView, elapsedMs: number): string {
  if (state === 'elsewhere') return l10n.t('in another window');
  if (waitingUntil === undefined) return usualWords(elapsedMs, usualSeconds);
  return l10n.t('service busy, retrying in {0}', waitText(waitingUntil - hostNow()));
}

function usualWords(elapsedMs: number, usualSeconds: number | undefined): string {
  if (usualSeconds === undefined) return l10n.t('first run of this model here');
  const usual = wholeDurationText(usualSeconds);
  return elapsedMs / 1000 > usualSeconds ? l10n.t('longer than the usual {0}', usual) : l10n.t('of about {0}', usual);
}
