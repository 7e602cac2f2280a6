import type { CompareOrder, CompareReplyView } from '../../../shared/protocol/compareProtocol.ts';
import { TokenLengths } from '../../chat/speed/tokenLengths.ts';
import type { Ticker } from '../../kit/ticker.ts';
import { RaceRunner, type RunnerView } from './raceRunner.ts';
import { RaceView } from './raceView.ts';
import { haveOneClock, type Standing } from '../standings.ts';

interface RaceBoardActs {
  /** What is known about a reply while it's being written. */
  readonly drawLive: (reply: CompareReplyView, runner: RunnerView) => void;
  /** The name of a column in the race. */
  readonly nameOf: (reply: CompareReplyView) => string;
}

/** Keeps the race going: a runner for each reply to the last question, drawn a few times a second while any is written. */
export class RaceBoard {
  readonly #view = new RaceView();
  readonly #ticker: Ticker;
  readonly #acts: RaceBoardActs;
  readonly #tokenLengths = new TokenLengths();
  /** By reply, in the order of the columns. */
  #runners = new Map<string, RaceRunner>();
  #endTicks: (() => void) | undefined;

  constructor(ticker: Ticker, acts: RaceBoardActs) {
    this.#ticker = ticker;
    this.#acts = acts;
  }

  get element(): HTMLElement {
    return this.#view.element;
  }

  /** How many characters a token of a model has, from the length of its text. */
  learn(reply: CompareReplyView): void {
    this.#tokenLengths.learn(reply);
  }

  /** Starts again with the same replies, or others. */
  forget(): void {
    this.#runners.clear();
  }

  /**
   * @param replies to the last question, in the order of the columns
   * @param order in which several models were asked; undefined for a single one
   */
  run(replies: readonly CompareReplyView[], isRunning: boolean, order: CompareOrder | undefined): void {
    this.#view.showOrder(order);
    this.#runners = new Map(
      replies.map((reply) => {
        const runner = this.#runners.get(reply.id) ?? new RaceRunner(reply, this.#tokenLengths.of(reply.model));
        runner.show(reply);
        return [reply.id, runner];
      }),
    );
    if (isRunning) this.#endTicks ??= this.#ticker.add(() => this.draw());
    else {
      this.#endTicks?.();
      this.#endTicks = undefined;
    }
    this.draw();
  }

  grew(replyId: string, characters: number, pieces?: number): void {
    this.#runners.get(replyId)?.grew(characters, performance.now(), pieces);
  }

  /** @returns the state of each column */
  draw(): ReadonlyMap<string, Standing> {
    const now = performance.now();
    const runners = [...this.#runners.values()];
    // What's measured here includes the network, so the figures of a service can't be compared with it.
    const isHere = !haveOneClock(runners.map(({ reply }) => reply.metrics));
    const views = runners.map((runner) => runner.view(now, isHere));
    this.#view.element.hidden = views.length === 0;
    for (const [index, runner] of runners.entries()) {
      const view = views[index];
      if (view !== undefined && runner.isRunning) this.#acts.drawLive(runner.reply, view);
    }
    const nameOf = (columnId: string) => {
      const reply = runners.find((runner) => runner.reply.columnId === columnId)?.reply;
      return reply === undefined ? '' : this.#acts.nameOf(reply);
    };
    return this.#view.show(views, nameOf);
  }
}
