import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { Problem, ProblemAction, ProblemActionKind } from '../../shared/problem.ts';
import { element, icon, iconButton, setText, textButton } from './element.ts';
import type { Ticker } from './ticker.ts';
import { waitText } from '../../words/duration.ts';
import { hostNow } from './hostClock.ts';

/** What a card can ask for. */
export interface ProblemActs {
  run(action: ProblemActionKind, model?: ModelRef): void;
  copy(text: string): void;
  /** Set if the card can be dismissed. */
  dismiss?(): void;
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
      const button = textButton(index === 0 ? 'button' : 'link', action.label, () => this.#run(button, action));
      if (action.kind === 'retry' && problem.retryAt !== undefined) {
        this.#countDown(button, action, problem.retryAt, ticker);
      }
      this.#buttons.push([action, button]);
      row.append(button);
    });
    return row;
  }

  #run(button: HTMLButtonElement, { kind, model }: ProblemAction): void {
    if (button.getAttribute('aria-disabled') !== 'true') this.#acts.run(kind, model);
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
