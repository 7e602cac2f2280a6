import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { ProblemActionKind } from '../../shared/problem.ts';
import type { RequestView } from '../../shared/protocol/requestProtocol.ts';
import { element, textButton } from '../kit/element.ts';
import type { FrameLoop } from '../kit/frameLoop.ts';
import { ProblemCard } from '../kit/problemCard.ts';
import type { Ticker } from '../kit/ticker.ts';
import { MarkdownPart } from '../markdown/markdownPart.ts';
import type { CodeActions } from '../markdown/markdownView.ts';
import { fold } from './sentTurn.ts';

/** What a reply needs from the page around it. */
export interface ReplySurroundings {
  readonly frames: FrameLoop;
  readonly ticker: Ticker;
  readonly code: CodeActions;
  readonly copy: (text: string) => void;
  readonly runAction: (id: string, action: ProblemActionKind, model?: ModelRef) => void;
  readonly openContentSetting: (id: string) => void;
}

/** A model's reply so far: reasoning, text, tool calls, and errors. */
export class ReplyColumn {
  readonly element = element('div', { class: 'reply' });
  readonly #around: ReplySurroundings;
  readonly #thoughts: MarkdownPart;
  readonly #text: MarkdownPart;
  readonly #fold: HTMLElement;
  readonly #calls = element('div', {});
  readonly #below = element('div', {});
  #card: ProblemCard | undefined;
  #drawn = '';

  constructor(around: ReplySurroundings) {
    this.#around = around;
    this.#thoughts = new MarkdownPart('thoughts', around.frames, around.code);
    this.#text = new MarkdownPart('answer', around.frames, around.code);
    this.#fold = fold('reasoning', [l10n.t('Reasoning')], this.#thoughts.element);
    this.element.append(this.#fold, this.#text.element, this.#calls, this.#below);
  }

  show(request: RequestView): void {
    const { reply, state, problem, note = '', isContentOff } = request;
    this.#thoughts.sync(reply.reasoning);
    this.#text.sync(reply.text);
    this.#fold.hidden = reply.reasoning === '';
    if (state !== 'running') {
      this.#thoughts.finish();
      this.#text.finish();
    }
    const key = JSON.stringify([reply.calls, problem, note, isContentOff]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#calls.replaceChildren(
      ...reply.calls.map(({ name, value }) =>
        element('div', { class: 'call' }, element('code', {}, name), element('pre', { tabindex: '0' }, value)),
      ),
    );
    this.#drawBelow(request);
  }

  dispose(): void {
    this.#thoughts.dispose();
    this.#text.dispose();
    this.#card?.dispose();
  }

  #drawBelow({ id, problem, note, isContentOff }: RequestView): void {
    this.#card?.dispose();
    this.#card = undefined;
    this.#below.replaceChildren();
    if (note !== undefined) {
      const words = element('p', { class: 'note' }, note);
      if (isContentOff) {
        words.append(
          ' ',
          textButton('link', l10n.t('Open Setting'), () => this.#around.openContentSetting(id)),
        );
      }
      this.#below.append(words);
    }
    if (problem === undefined) return;
    const acts = {
      run: (action: ProblemActionKind, model?: ModelRef) => this.#around.runAction(id, action, model),
      copy: this.#around.copy,
    };
    this.#card = new ProblemCard(problem, acts, this.#around.ticker);
    this.#below.append(this.#card.element);
  }
}
