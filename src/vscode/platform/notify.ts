import { type Problem, problemLine, type ProblemActionKind } from '../../shared/problem.ts';
import { plainWindow } from './plainWindow.ts';

export interface NotifyButton {
  readonly label: string;
  readonly run: () => Promise<void>;
}

/** @param service ID of the service that the problem is about */
type RunAction = (action: ProblemActionKind, service?: string) => Promise<void>;

type Severity = 'info' | 'warning' | 'error';

/** What shows a problem does some of its actions itself, because it knows best what they're about. */
export type OwnActions = Readonly<Partial<Record<ProblemActionKind, () => Promise<void>>>>;

interface ProblemNotice {
  /** Buttons before those of the problem. */
  readonly first?: readonly NotifyButton[];
  readonly own?: OwnActions;
  /** Called once it's gone and the action of its button has ended. */
  readonly onGone?: () => void;
}

/** Shows a notification. The action of a pressed button is awaited. Resolves when the notification is gone. */
async function notify(severity: Severity, text: string, buttons: readonly NotifyButton[] = []): Promise<void> {
  const labels = buttons.map((button) => button.label);
  // Part of the text comes from a service, a model, or a file.
  const chosen = await show(severity, text, labels);
  await buttons.find((button) => button.label === chosen)?.run();
}

/** Notifications with buttons. Callers don't wait for them: a command ends when its work does. */
export class Notifier {
  readonly #runAction: RunAction;
  readonly #onError: (error: unknown) => void;

  constructor(deps: {
    readonly runAction: RunAction;
    /** Called when the action of a button failed. */
    readonly onError: (error: unknown) => void;
  }) {
    this.#runAction = deps.runAction;
    this.#onError = deps.onError;
  }

  /** @param onGone called once it's gone and the action of its button has ended */
  info(text: string, buttons: readonly NotifyButton[] = [], onGone?: () => void): void {
    this.#notify('info', text, buttons, onGone);
  }

  warning(text: string, buttons: readonly NotifyButton[] = []): void {
    this.#notify('warning', text, buttons);
  }

  /** @param onGone called once it's gone and the action of its button has ended */
  error(text: string, buttons: readonly NotifyButton[] = [], onGone?: () => void): void {
    this.#notify('error', text, buttons, onGone);
  }

  /** The problem's best actions become buttons. Its status and request ID come last. */
  problem(problem: Problem, { first = [], own = {}, onGone }: ProblemNotice = {}): void {
    const ofProblem = problem.actions.map(({ kind, label }) => ({
      label,
      run: own[kind] ?? (() => this.#runAction(kind, problem.service)),
    }));
    // VS Code would fold more of them into an unreadable row.
    const buttons = [...first, ...ofProblem].slice(0, 3);
    this.#notify(problem.severity, problemLine(problem), buttons, onGone);
  }

  #notify(severity: Severity, text: string, buttons: readonly NotifyButton[], onGone?: () => void): void {
    notify(severity, text, buttons).catch(this.#onError).finally(onGone);
  }
}

function show(severity: Severity, text: string, labels: readonly string[]): Thenable<string | undefined> {
  switch (severity) {
    case 'info':
      return plainWindow.showInformationMessage(text, ...labels);
    case 'warning':
      return plainWindow.showWarningMessage(text, ...labels);
    case 'error':
      return plainWindow.showErrorMessage(text, ...labels);
  }
}
