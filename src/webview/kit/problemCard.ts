import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { ToHost } from '../../shared/protocol/chatProtocol.ts';
import type { Problem, ProblemAction, ProblemActionKind } from '../../shared/problem.ts';
import { element, icon, iconButton, setText, textButton } from './element.ts';
import type { Ticker } from './ticker.ts';
import { waitText } from '../../words/duration.ts';
import { hostNow } from './host/hostClock.ts';

/** What a card can ask for. */
export interface ProblemActs {
  /** @param service ID of the service that the problem is about */
  run(action: ProblemActionKind, model?: ModelRef, service?: string): void;
  copy(text: string): void;
  /** Set if the card can be dismissed. */
  dismiss?(): void;
}

/** A place for the card of one problem at a time, for example for the reason why the last message wasn't sent. */
export class ProblemSlot {
  readonly element: HTMLElement;
  readonly #acts: ProblemActs;
  readonly #ticker: Ticker;
  #problem: Problem | undefined;
  #card: ProblemCard | undefined;

  /** @param attributes of the place, which is empty without a problem */
  constructor(attributes: Parameters<typeof element>[1], acts: ProblemActs, ticker: Ticker) {
    this.element = element('div', attributes);
    this.#acts = acts;
    this.#ticker = ticker;
  }

  /** If the problem offers the action whose button has the focus, the focus stays on it. */
  show(problem: Problem | undefined): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    const focused = this.#card?.focused;
    this.#card?.dispose();
    this.#card = problem && new ProblemCard(problem, this.#acts, this.#ticker);
    this.element.replaceChildren(...(this.#card === undefined ? [] : [this.#card.element]));
    if (focused !== undefined) this.#card?.focus(focused);
  }

  dispose(): void {
    this.#card?.dispose();
  }
}

/** What a card of a reply needs from the page around it. */
interface ReplySurroundings {
  readonly post: (message: Extract<ToHost, { type: 'runAction' }>) => void;
  readonly code: { readonly copy: (text: string, onCopied: () => void) => void };
  readonly ticker: Ticker;
}

/** A place for the problem of a reply. @param replyId its ID now: in a comparison, another reply can take its place */
export function replyProblemSlot(replyId: () => string, { post, code, ticker }: ReplySurroundings): ProblemSlot {
  const acts: ProblemActs = {
    run: (action, model) =>
      post({ type: 'runAction', action, replyId: replyId(), ...(model !== undefined && { model }) }),
    copy: (text) => code.copy(text, () => undefined),
  };
  return new ProblemSlot({ class: 'problem-slot' }, acts, ticker);
}

/** A failure: what happened, what to do, and the details that support asks for. */
export class ProblemCard {
  readonly element: HTMLElement;
  readonly #acts: ProblemActs;
  readonly #buttons: (readonly [ProblemAction, HTMLButtonElement])[] = [];
  #endCountdown: (() => void) | undefined;

  constructor(problem: Problem, acts: ProblemActs, ticker: Ticker) {
    this.#acts = acts;
    const body = element('div', { class: 'problem-body' }, element('div', { class: 'problem-title' }, problem.title));
    if (problem.detail !== '') body.append(element('p', { class: 'problem-detail' }, problem.detail));
    if (problem.actions.length > 0) body.append(this.#actionRow(problem, ticker));
    const technical = [problem.technical, problem.requestId ?? ''].filter((part) => part !== '').join(' · ');
    if (technical !== '') body.append(this.#technicalLine(technical));
    this.element = element(
      'div',
      { class: `problem problem-${problem.severity}`, role: 'group', 'aria-label': problem.title },
      icon(problem.severity),
      body,
    );
    if (acts.dismiss !== undefined) {
      this.element.append(iconButton('close', l10n.t('Dismiss'), () => acts.dismiss?.()));
    }
  }

  /** The action whose button has the focus. */
  get focused(): ProblemAction | undefined {
    return this.#buttons.find(([, button]) => button === document.activeElement)?.[0];
  }

  /** Does nothing if the card doesn't offer it. */
  focus({ kind, model }: ProblemAction): void {
    this.#buttons.find(([action]) => action.kind === kind && action.model === model)?.[1].focus();
  }

  dispose(): void {
    this.#endCountdown?.();
    this.#endCountdown = undefined;
  }

  #actionRow(problem: Problem, ticker: Ticker): HTMLElement {
    const row = element('div', { class: 'problem-actions' });
    problem.actions.forEach((action, index) => {
      const button = textButton(index === 0 ? 'button' : 'link', action.label, () => {
        if (button.getAttribute('aria-disabled') !== 'true') this.#acts.run(action.kind, action.model, problem.service);
      });
      if (action.kind === 'retry' && problem.retryAt !== undefined) {
        this.#countDown(button, action, problem.retryAt, ticker);
      }
      this.#buttons.push([action, button]);
      row.append(button);
    });
    return row;
  }

  /** The button stays focusable while it waits, so that its focus isn't lost. */
  #countDown(button: HTMLButtonElement, action: ProblemAction, retryAt: number, ticker: Ticker): void {
    const show = (): void => {
      const leftMs = retryAt - hostNow();
      if (leftMs > 0) {
        setText(button, l10n.t('{0} in {1}', action.label, waitText(leftMs)));
        button.setAttribute('aria-disabled', 'true');
        return;
      }
      setText(button, action.label);
      button.removeAttribute('aria-disabled');
      this.dispose();
    };
    this.#endCountdown = ticker.add(show);
    show();
  }

  #technicalLine(technical: string): HTMLElement {
    const copy = iconButton('copy', l10n.t('Copy error details'), () => this.#acts.copy(technical));
    return element('div', { class: 'problem-technical' }, element('code', {}, technical), copy);
  }
}
