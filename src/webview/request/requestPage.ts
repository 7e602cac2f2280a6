import * as l10n from '@vscode/l10n';
import type { RequestAct, RequestToHost, RequestToPage, RequestView } from '../../shared/protocol/requestProtocol.ts';
import { maxTextLength } from '../../shared/messageLimits.ts';
import { recentText } from '../../words/moment.ts';
import { numberText } from '../../words/numberText.ts';
import { Announcer } from '../kit/announcer.ts';
import { element, icon, iconButton, setText, textButton } from '../kit/element.ts';
import { FrameLoop } from '../kit/frameLoop.ts';
import { Ticker } from '../kit/ticker.ts';
import { hostNow } from '../kit/host/hostClock.ts';
import { CodePosts } from '../markdown/codePosts.ts';
import { ReplyPair } from './replyPair.ts';
import { ReplyColumn, type ReplySurroundings } from './replyColumn.ts';
import { earlierTurns, fold, questionBubble } from './sentTurn.ts';
import { SpeedSection } from './speedSection.ts';

const TICK_MS = 250;

/** The page about a request, or about two side by side. The host sends everything again when something has changed. */
export class RequestPage {
  readonly element = element('main', { class: 'request' });
  readonly #post: (message: RequestToHost) => void;
  readonly #announcer = new Announcer();
  readonly #around: ReplySurroundings;
  readonly #body = element('div', { class: 'body' });
  readonly #ending = element('span', {});
  #shown: ReplyColumn | ReplyPair | undefined;
  #speed = new SpeedSection();
  /** Everything that is shown except what changes while it's running. */
  #drawn = '';
  #wasRunning = false;
  readonly #code: CodePosts;

  constructor(post: (message: RequestToHost) => void) {
    this.#post = post;
    this.#code = new CodePosts(post, (text) => text.length <= maxTextLength);
    this.#around = {
      frames: new FrameLoop({ afterDrawing: () => undefined, onIdle: () => undefined }),
      ticker: new Ticker(TICK_MS),
      code: this.#code.actions,
      copy: this.#code.copy,
      runAction: (id, action, model) => post({ type: 'runAction', id, action, ...(model !== undefined && { model }) }),
      openContentSetting: (id) => post({ type: 'act', id, act: 'openContentSetting' }),
    };
    this.element.append(this.#announcer.element, this.#body);
  }

  receive(message: RequestToPage): void {
    switch (message.type) {
      case 'request':
        return this.#showOne(message.request);
      case 'comparison':
        return this.#showTwo(message.left, message.right);
      case 'gone':
        return this.#showGone();
      case 'copied':
        return this.#code.copied();
    }
  }

  #showOne(request: RequestView): void {
    const { metrics: _metrics, reply: _reply, usual: _usual, ...structure } = request;
    const key = JSON.stringify(structure);
    if (key !== this.#drawn || !(this.#shown instanceof ReplyColumn)) {
      this.#redraw(key, () => this.#drawOne(request));
    }
    setText(this.#ending, request.ending);
    this.#speed.show(request);
    if (this.#shown instanceof ReplyColumn) this.#shown.show(request);
    if (this.#wasRunning && request.state !== 'running') this.#announcer.say(`${request.name}: ${request.ending}`);
    this.#wasRunning = request.state === 'running';
  }

  #drawOne(request: RequestView): readonly Node[] {
    const { id, acts, system, earlier, question, problem } = request;
    // The reply of the same request continues.
    const reply = new ReplyColumn(this.#around);
    this.#shown = reply;
    this.#speed = new SpeedSection();
    return [
      this.#head(request),
      actionRow(acts, problem === undefined || problem.actions.length === 0, (act) =>
        this.#post({ type: 'act', id, act }),
      ),
      this.#speed.element,
      element(
        'section',
        { class: 'exchange', 'aria-label': l10n.t('Question and reply') },
        ...(system === undefined ? [] : [fold('system', [l10n.t('System prompt')], ...earlierTurns([system]))]),
        ...(earlier.length === 0 ? [] : [fold('earlier', [earlierText(earlier.length)], ...earlierTurns(earlier))]),
        ...(question === undefined ? [] : [questionBubble(question)]),
        reply.element,
      ),
      ...this.#folds(request),
    ];
  }

  #head({ name, at, host, state }: RequestView): HTMLElement {
    const facts = [recentText(at, hostNow()), ...(host === undefined ? [] : [host])].join(' · ');
    return element(
      'header',
      { class: 'head' },
      element('span', { class: `state state-${state}` }, icon(stateIcons[state])),
      element('h1', {}, name),
      element('p', { class: 'note' }, `${facts} · `, this.#ending),
    );
  }

  #folds({ id, parameters, service, requestId, acts }: RequestView): readonly Node[] {
    const set = parameters.map(({ name, value }) => `${name} ${value}`).join(', ');
    const copyId =
      requestId === undefined
        ? []
        : [iconButton('copy', l10n.t('Copy request ID'), () => this.#around.copy(requestId))];
    const json = acts.includes('showRequestJson')
      ? [textButton('link', l10n.t('Show Request JSON'), () => this.#post({ type: 'act', id, act: 'showRequestJson' }))]
      : [];
    return [
      element(
        'section',
        { class: 'folds', 'aria-label': l10n.t('Details') },
        ...(parameters.length === 0 && json.length === 0
          ? []
          : [
              fold(
                'parameters',
                [l10n.t('Parameters'), ...(set === '' ? [] : [element('span', { class: 'peek' }, set)])],
                factList(parameters),
                ...json,
              ),
            ]),
        fold(
          'service',
          [
            l10n.t('Service'),
            ...(requestId === undefined
              ? []
              : [element('span', { class: 'peek' }, l10n.t('request ID {0}', requestId))]),
          ],
          factList(service),
          ...copyId,
        ),
      ),
    ];
  }

  #showTwo(left: RequestView, right: RequestView): void {
    // The usual speed changes with every request of the model, and isn't shown here.
    const key = JSON.stringify([left, right].map(({ usual: _usual, ...shown }) => shown));
    if (key === this.#drawn) return;
    this.#redraw(key, () => {
      const comparison = new ReplyPair(left, right, this.#around, {
        swap: () => this.#post({ type: 'swap' }),
        showDifferences: () => this.#post({ type: 'showDifferences' }),
        openConversation: (id) => this.#post({ type: 'act', id, act: 'openConversation' }),
      });
      this.#shown = comparison;
      return [comparison.element];
    });
  }

  #showGone(): void {
    this.#redraw('gone', () => [
      element('h1', {}, l10n.t('Request')),
      element('p', { class: 'note' }, l10n.t("This request was deleted or hasn't been loaded yet.")),
    ]);
  }

  /** Expanded sections stay expanded, and the focus stays where it was. */
  #redraw(key: string, draw: () => readonly Node[]): void {
    const focused = document.activeElement?.getAttribute('data-act');
    const open = new Set(
      Array.from(
        this.#body.querySelectorAll<HTMLDetailsElement>('details[data-fold][open]'),
        (each) => each.dataset['fold'],
      ),
    );
    this.#shown?.dispose();
    this.#shown = undefined;
    this.#drawn = key;
    this.#body.replaceChildren(...draw());
    for (const each of this.#body.querySelectorAll<HTMLDetailsElement>('details[data-fold]')) {
      each.open = open.has(each.dataset['fold']);
    }
    if (focused !== null && focused !== undefined) {
      const button =
        this.#body.querySelector<HTMLElement>(`[data-act="${focused}"]`) ??
        this.#body.querySelector<HTMLElement>('[data-act]');
      button?.focus();
    }
  }
}

const stateIcons: Readonly<Record<RequestView['state'], string>> = {
  running: 'loading',
  done: 'pass',
  incomplete: 'warning',
  stopped: 'circle-slash',
  failed: 'error',
  unknown: 'question',
};

/** @param leads whether the first one is emphasized: it's what most users open a request for, unless it failed. */
function actionRow(acts: readonly RequestAct[], leads: boolean, run: (act: RequestAct) => void): HTMLElement {
  const labels: Readonly<Partial<Record<RequestAct, readonly [icon: string, label: string]>>> = {
    stop: ['debug-stop', l10n.t('Stop')],
    runAgain: ['debug-rerun', l10n.t('Run Again')],
    runWithModel: ['', l10n.t('Run with Another Model…')],
    compare: ['', l10n.t('Compare Replies…')],
    copyAsCode: ['', l10n.t('Copy as Code…')],
    openConversation: ['', l10n.t('Open Conversation')],
    showJson: ['json', l10n.t('Show JSON')],
  };
  const row = element('div', { class: 'acts' });
  for (const act of acts) {
    const [iconName, label] = labels[act] ?? [];
    if (label === undefined) continue;
    const style = leads && row.childElementCount === 0 ? 'button' : 'button secondary';
    const button = textButton(style, label, ({ detail }) => {
      // A double click doesn't mean two runs.
      if (detail < 2) run(act);
    });
    if (iconName !== undefined && iconName !== '') button.prepend(icon(iconName), ' ');
    button.dataset['act'] = act;
    row.append(button);
  }
  return row;
}

function factList(rows: RequestView['service']): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    ...rows.flatMap(({ name, value }) => [element('dt', {}, name), element('dd', {}, value)]),
  );
}

function earlierText(count: number): string {
  return count === 1 ? l10n.t('1 earlier message') : l10n.t('{0} earlier messages', numberText(count));
}
