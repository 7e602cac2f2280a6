import * as l10n from '@vscode/l10n';
import type { CompareColumnView, CompareReplyView, CompareTurnView } from '../../shared/protocol/compareProtocol.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { rateText } from '../../words/replySpeed.ts';
import { countParameters } from '../chat/composer/optionFields.ts';
import { ParametersPanel } from '../chat/composer/parametersPanel.ts';
import { element, icon, iconButton, setText, textButton } from '../kit/element.ts';
import { JumpButton } from '../kit/jumpButton.ts';
import { ScrollFollower } from '../kit/scrollFollower.ts';
import { ColumnReply, type ColumnSurroundings } from './columnReply.ts';
import type { RunnerView } from './race/raceRunner.ts';
import { modelLabel, shortModelLabel, shortServiceNote } from '../../words/modelLabel.ts';

/** One model with all its replies. The header stays in place, and the replies scroll separately. */
export class ColumnView {
  readonly element: HTMLElement;
  readonly id: string;
  readonly follower: ScrollFollower;
  readonly #around: ColumnSurroundings;
  readonly #name = element('span', { class: 'column-name' });
  readonly #place = element('div', { class: 'column-place' });
  readonly #picker: HTMLButtonElement;
  readonly #close: HTMLButtonElement;
  readonly #parameters: HTMLButtonElement;
  readonly #panel: ParametersPanel;
  readonly #jump = new JumpButton(() => this.follower.toBottom());
  readonly #scroller = element('div', { class: 'column-scroller', role: 'group', tabindex: '0' });
  /** By turn ID. */
  readonly #replies = new Map<string, ColumnReply>();
  #column: CompareColumnView;

  constructor(column: CompareColumnView, around: ColumnSurroundings) {
    this.id = column.id;
    this.#column = column;
    this.#around = around;
    this.#picker = element('button', { type: 'button', class: 'column-picker' }, this.#name, icon('chevron-down'));
    this.#picker.addEventListener('click', () => around.post({ type: 'chooseModel', columnId: this.id }));
    this.#close = iconButton('close', l10n.t('Close'), () => around.post({ type: 'closeColumn', columnId: this.id }));
    this.#panel = new ParametersPanel(
      {
        changed: (options) => around.post({ type: 'columnOptionsChanged', columnId: this.id, options }),
        closed: () => this.#panelClosed(),
      },
      `column-${this.id}`,
    );
    this.#parameters = iconButton('settings', l10n.t('Parameters'), () => this.#toggleParameters());
    this.#parameters.setAttribute('aria-controls', this.#panel.element.id);
    this.#parameters.setAttribute('aria-expanded', 'false');
    const head = element('div', { class: 'column-head' }, this.#picker, this.#parameters, this.#close);
    this.follower = new ScrollFollower(this.#scroller, () => this.#drawJump());
    this.element = element(
      'section',
      { class: 'column', 'data-id': this.id },
      head,
      this.#panel.element,
      this.#place,
      this.#scroller,
      this.#jump.element,
    );
    this.showColumn(column);
  }

  /** Its model, or the placeholder of a blind one, which belongs to no service. */
  get label(): string {
    const { model, isBlind } = this.#column;
    return isBlind === true ? model : modelLabel(model);
  }

  /** The label without the model's vendor, and with a short name of its service. */
  get shortLabel(): string {
    const { model, isBlind } = this.#column;
    const name = refParts(model).model;
    return isBlind === true ? model : name.slice(name.lastIndexOf('/') + 1) + shortServiceNote(model);
  }

  /** While the model is hidden. */
  setBlind(isBlind: boolean): void {
    this.#picker.disabled = isBlind;
    this.#close.hidden = isBlind;
    this.#parameters.hidden = isBlind;
    if (isBlind) this.#panel.close();
  }

  /** The name of a reply by this model in the race: two columns with one model differ in their parameters. */
  nameOf(model: ModelRef): string {
    const { own, isBlind } = this.#column;
    if (isBlind === true) return model;
    const name = modelLabel(model);
    return own === undefined || model !== this.#column.model ? name : `${name} (${own})`;
  }

  /** The page might disappear: reports what is set so far. */
  saveOptions(): void {
    this.#panel.save();
  }

  focus(): void {
    this.#picker.focus();
  }

  showColumn(column: CompareColumnView): void {
    this.#column = column;
    const { label } = this;
    setText(this.#name, column.isBlind === true ? label : shortModelLabel(column.model));
    const rate = column.tokensPerSecond === undefined ? '' : rateText(column.tokensPerSecond);
    setText(this.#place, [column.own ?? '', column.place].filter((part) => part !== '').join(' · '));
    this.#place.title = this.#place.textContent;
    this.#panel.show(column.options, column.defaults, false);
    const set = countParameters(column.options);
    const name = set === 0 ? l10n.t('Parameters of {0}', label) : l10n.t('Parameters of {0} ({1} set)', label, set);
    this.#parameters.title = name;
    this.#parameters.setAttribute('aria-label', name);
    this.#parameters.classList.toggle('badged', set > 0);
    const select = column.isBlind === true ? '' : l10n.t('Select Another Model…');
    this.#picker.title = [label, rate, select].filter((line) => line !== '').join('\n');
    this.#picker.setAttribute('aria-label', l10n.t('Model: {0}', label));
    this.#close.setAttribute('aria-label', l10n.t('Close {0}', label));
    this.element.setAttribute('aria-label', label);
    this.#scroller.setAttribute('aria-label', label);
  }

  /** All of them, newest last. */
  showReplies(turns: readonly CompareTurnView[], replies: readonly CompareReplyView[]): void {
    const wasRunning = this.#isRunning();
    for (const reply of this.#replies.values()) reply.dispose();
    this.#replies.clear();
    const rows = turns.flatMap((turn, index) => {
      const reply = replies.find((each) => each.columnId === this.id && each.turnId === turn.id);
      // A follow-up to another model isn't part of the questions to this one.
      if (reply === undefined && index < turns.length - 1 && !turn.columns.includes(this.id)) return [];
      return [this.#question(turn, turns), ...(reply === undefined ? [] : [this.#newReply(reply)])];
    });
    const last = turns.at(-1);
    // While the replies are blind, a model that is asked alone would be known by its letter.
    const isAsked = last === undefined || this.#replies.has(last.id) || this.#column.isBlind === true;
    this.#scroller.replaceChildren(...rows, ...(isAsked ? [] : [this.#askButton()]));
    // The first reply of a model that is asked alone, whose end might be in view.
    if (this.#isRunning() && !wasRunning && !this.follower.following) this.follower.check();
    this.follower.settle();
    this.#drawJump();
  }

  /** @returns false if it's new here, so that all of them must be shown */
  showReply(reply: CompareReplyView): boolean {
    const known = this.#replies.get(reply.turnId);
    const begins = reply.state === 'running' && known?.isRunning === false;
    known?.show(reply);
    // A retry, whose end might be in view.
    if (begins && !this.follower.following) this.follower.check();
    this.#drawJump();
    return known !== undefined;
  }

  grow(turnId: string, part: 'text' | 'reasoning', text: string): void {
    this.#replies.get(turnId)?.grow(part, text);
    this.#jump.hintAtNew();
  }

  drawLive(turnId: string, runner: RunnerView): void {
    this.#replies.get(turnId)?.drawLive(runner);
  }

  dispose(): void {
    for (const reply of this.#replies.values()) reply.dispose();
  }

  #isRunning(): boolean {
    return [...this.#replies.values()].some((reply) => reply.isRunning);
  }

  /** For a reader who has left the end of a reply that's being written, until they're back. */
  #drawJump(): void {
    const { element: jump } = this.#jump;
    const isHidden = this.follower.following || (jump.hidden && !this.#isRunning());
    if (isHidden && document.activeElement === jump) this.#scroller.focus();
    this.#jump.show(isHidden);
  }

  #toggleParameters(): void {
    if (this.#panel.isOpen) return this.#panel.close();
    this.#panel.open();
    this.#parameters.setAttribute('aria-expanded', 'true');
  }

  #panelClosed(): void {
    this.#parameters.setAttribute('aria-expanded', 'false');
    this.#parameters.focus();
  }

  #newReply(reply: CompareReplyView): HTMLElement {
    const made = new ColumnReply(reply, this.#around);
    this.#replies.set(reply.turnId, made);
    return made.element;
  }

  /** The last question is at the top of the page, and only repeated here if there are earlier ones. */
  #question({ text }: CompareTurnView, { length }: readonly CompareTurnView[]): HTMLElement {
    return element('p', { class: 'column-question', hidden: length < 2 }, text);
  }

  #askButton(): HTMLElement {
    return textButton('link', l10n.t('Ask This Model'), () =>
      this.#around.post({ type: 'askColumn', columnId: this.id }),
    );
  }
}
