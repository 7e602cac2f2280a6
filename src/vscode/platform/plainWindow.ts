import * as vscode from 'vscode';
import { plainInput, PlainItems, plainValidation, type ShownItem } from './plainItems.ts';
import { type NotePlace, notePlaces } from './notePlaces.ts';
import { openQuestions } from './openQuestions.ts';
import { plainLabel, plainLines } from './plainLabel.ts';

/**
 * The ways to show text in VS Code's own boxes, lists, messages, and progress. VS Code draws `$(name)` in them as an
 * icon and `[words](command:…)` as a link that runs a command; text from a service, a model, a workspace, or a file
 * must do neither. So nothing else may call these APIs, as test/unit/vscode/shownWords.test.ts checks. VS Code's dialog
 * for files is here because it's an open question too.
 */
export const plainWindow = {
  showInputBox(options: vscode.InputBoxOptions): Thenable<string | undefined> {
    const isChecked = options.validateInput !== undefined;
    const answer = vscode.window.showInputBox({
      ...plainOptions(options),
      ...(isChecked && {
        validateInput: async (value: string) => plainValidation(await options.validateInput?.(value)),
      }),
    });
    return openQuestions.during(answer);
  },

  showOpenDialog: (options: vscode.OpenDialogOptions): Promise<readonly vscode.Uri[] | undefined> =>
    openQuestions.during(vscode.window.showOpenDialog(options)),

  async showQuickPick<T extends ShownItem>(
    rows: readonly T[] | Promise<readonly T[]>,
    options: vscode.QuickPickOptions = {},
  ): Promise<T | undefined> {
    const items = new PlainItems<T>();
    const shown = Array.isArray(rows) ? rows.map((row: T) => items.shown(row)) : shownLater(rows, items);
    const chosen = await openQuestions.during(vscode.window.showQuickPick(shown, plainOptions(options)));
    return chosen && items.given(chosen);
  },

  createQuickPick: <T extends ShownItem>(): vscode.QuickPick<T> => plainInput(vscode.window.createQuickPick<T>()),

  createInputBox: (): vscode.InputBox => plainInput(vscode.window.createInputBox()),

  /**
   * Notifications; messages in the chat while that's in view. Buttons stay unchanged: they're compared with the pressed
   * one, and their text is ours.
   */
  showInformationMessage: (text: string, ...buttons: readonly string[]): Thenable<string | undefined> =>
    notePlaces.inView?.tell('info', text, buttons) ??
    vscode.window.showInformationMessage(plainLabel(text), ...buttons),

  showWarningMessage: (text: string, ...buttons: readonly string[]): Thenable<string | undefined> =>
    notePlaces.inView?.tell('warning', text, buttons) ?? vscode.window.showWarningMessage(plainLabel(text), ...buttons),

  showErrorMessage: (text: string, ...buttons: readonly string[]): Thenable<string | undefined> =>
    notePlaces.inView?.tell('error', text, buttons) ?? vscode.window.showErrorMessage(plainLabel(text), ...buttons),

  /** A modal dialog. Undefined if it was dismissed. */
  ask: (
    question: string,
    { detail, isQuestion = false }: Dialog,
    ...buttons: readonly string[]
  ): Thenable<string | undefined> => {
    const options = { modal: true, ...(detail !== undefined && { detail: plainLines(detail) }) };
    const answer = isQuestion
      ? vscode.window.showInformationMessage(plainLabel(question), options, ...buttons)
      : vscode.window.showWarningMessage(plainLabel(question), options, ...buttons);
    return openQuestions.during(answer);
  },

  setStatusBarMessage: (text: string, hideAfterMs: number): vscode.Disposable =>
    vscode.window.setStatusBarMessage(plainLabel(text), hideAfterMs),

  withProgress<R>(
    options: vscode.ProgressOptions,
    task: (progress: vscode.Progress<ProgressStep>, token: vscode.CancellationToken) => Thenable<R>,
  ): Thenable<R> {
    const place = options.location === vscode.ProgressLocation.Notification ? notePlaces.inView : undefined;
    if (place !== undefined) return noteDuring(place, options, task);
    return vscode.window.withProgress(plainOptions(options), (progress, token) =>
      task({ report: ({ message }) => progress.report({ message: plainLabel(message) }) }, token),
    );
  },
};

interface ProgressStep {
  readonly message: string;
}

interface Dialog {
  /** Can have several lines. */
  readonly detail?: string;
  /** True if it isn't a warning. */
  readonly isQuestion?: boolean;
}

async function shownLater<T extends ShownItem>(
  rows: readonly T[] | Promise<readonly T[]>,
  items: PlainItems<T>,
): Promise<T[]> {
  return (await rows).map((row) => items.shown(row));
}

/** As VS Code's own progress, in the page. */
async function noteDuring<R>(
  place: NotePlace,
  { title = '', cancellable = false }: vscode.ProgressOptions,
  task: (progress: vscode.Progress<ProgressStep>, token: vscode.CancellationToken) => Thenable<R>,
): Promise<R> {
  const source = new vscode.CancellationTokenSource();
  const note = place.begin(
    title,
    cancellable ? { label: vscode.l10n.t('Cancel'), run: () => source.cancel() } : undefined,
  );
  try {
    const report = ({ message }: ProgressStep) => note.say([title, message].filter((part) => part !== '').join(': '));
    return await task({ report }, source.token);
  } finally {
    note.end();
    source.dispose();
  }
}

function plainOptions<T extends { readonly title?: string; readonly prompt?: string; readonly placeHolder?: string }>(
  options: T,
): T {
  const { title, prompt, placeHolder } = options;
  return {
    ...options,
    ...(title !== undefined && { title: plainLabel(title) }),
    ...(prompt !== undefined && { prompt: plainLabel(prompt) }),
    ...(placeHolder !== undefined && { placeHolder: plainLabel(placeHolder) }),
  };
}
