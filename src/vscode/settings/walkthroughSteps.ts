import type * as vscode from 'vscode';
import { commandIds, commandsOf, contextKeys } from './contributions.ts';
import { setContext } from '../platform/setContext.ts';

const stateKey = 'walkthrough.done';

const stepKeys = [
  contextKeys.connectionWorks,
  contextKeys.chatUsed,
  contextKeys.promptUsed,
  contextKeys.modelsUsed,
  contextKeys.videoMade,
] as const;

/** A step of the walkthrough, by the context key that ticks it. */
export type WalkthroughStep = (typeof stepKeys)[number];

/**
 * Everything in the Models view, every way to compare models, and the step's own buttons; the view also completes the
 * step once it lists models. Not the default model: that is for the first connection too.
 */
const modelCommands: ReadonlySet<string> = new Set(
  [
    ...Object.values(commandsOf.models),
    ...Object.values(commandsOf.compare),
    ...Object.values(commandsOf.measure),
    commandIds.selectModel,
    commandIds.selectModelInChat,
  ].filter((id) => id !== commandIds.selectDefaultModel && id !== commandIds.setDefaultModel),
);

/**
 * The completed steps of the walkthrough, whether it was open or not, in this window or an earlier one. VS Code 1.139
 * never ticks a step whose context key is already true when it first reads the steps, so each step has a second event,
 * which happens when the walkthrough is opened.
 */
export class WalkthroughSteps {
  readonly #state: vscode.Memento;
  readonly #done: Set<WalkthroughStep>;

  constructor(state: vscode.Memento) {
    this.#state = state;
    const kept = state.get<unknown>(stateKey);
    this.#done = new Set(stepKeys.filter((key) => Array.isArray(kept) && kept.includes(key)));
    for (const key of this.#done) tick(key);
  }

  done(step: WalkthroughStep): void {
    if (this.#done.has(step)) return;
    this.#done.add(step);
    tick(step);
    void this.#state.update(stateKey, [...this.#done]);
  }

  /** One of our commands was run. */
  ran(commandId: string): void {
    if (modelCommands.has(commandId)) this.done(contextKeys.modelsUsed);
  }
}

function tick(key: WalkthroughStep): void {
  setContext(key, true);
}
