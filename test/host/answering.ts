import * as vscode from 'vscode';

/**
 * Answers the questions that appear, as a user would: VS Code doesn't show any in a test.
 * @param answer the button to press; undefined closes them
 * @returns their texts, including the text below them
 */
export async function answering<T>(
  answer: string | undefined,
  act: (asked: readonly string[]) => Promise<T>,
): Promise<{ readonly result: T; readonly asked: readonly string[]; readonly details: readonly string[] }> {
  const asked: string[] = [];
  const details: string[] = [];
  const { showWarningMessage, showInformationMessage } = vscode.window;
  const stand = (message: string, options?: vscode.MessageOptions | string) => {
    asked.push(message);
    details.push(typeof options === 'object' ? (options.detail ?? '') : '');
    return Promise.resolve(answer);
  };
  const standIfModal = (message: string, options?: vscode.MessageOptions | string, ...buttons: readonly string[]) =>
    typeof options === 'object' && options.modal === true
      ? stand(message, options)
      : Reflect.apply(showInformationMessage, undefined, [message, options, ...buttons]);
  Object.assign(vscode.window, { showWarningMessage: stand, showInformationMessage: standIfModal });
  try {
    return { result: await act(asked), asked, details };
  } finally {
    Object.assign(vscode.window, { showWarningMessage, showInformationMessage });
  }
}
