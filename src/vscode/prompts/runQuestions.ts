import * as vscode from 'vscode';

// As in the chat: about four characters a token.
const charactersPerToken = 4;

/** Asks before a very large prompt, or several requests, are sent. */
export async function maySend(
  texts: readonly string[],
  model: string,
  askAboveTokens: number | null,
): Promise<boolean> {
  const tokens = Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / charactersPerToken);
  const isLarge = askAboveTokens !== null && tokens > askAboveTokens;
  if (!isLarge && texts.length === 1) return true;
  const count = new Intl.NumberFormat(vscode.env.language).format(tokens);
  const question =
    texts.length === 1
      ? vscode.l10n.t('Send ≈ {0} tokens to {1}?', count, model)
      : vscode.l10n.t('Send {0} requests, ≈ {1} tokens in all, to {2}?', texts.length, count, model);
  const details = [
    texts.length > 1 ? vscode.l10n.t('Each selection is a request of its own.') : '',
    isLarge ? vscode.l10n.t('The setting parlance.prompts.askAboveTokens says from what size you are asked.') : '',
  ];
  const send = vscode.l10n.t('Send');
  const detail = details.filter((sentence) => sentence !== '').join(' ');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, send)) === send;
}

/** A prompt that came with the folder wants the clipboard, which may hold anything. */
export async function mayClipboardGo(title: string, clipboard: string): Promise<boolean> {
  const send = vscode.l10n.t('Send the Clipboard');
  const beginning = clipboard.slice(0, 200) + (clipboard.length > 200 ? '…' : '');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('The prompt “{0}” of this workspace sends your clipboard', title),
    { modal: true, detail: beginning },
    send,
  );
  return answer === send;
}
