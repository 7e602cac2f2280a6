import * as vscode from 'vscode';

/** What is said in place of a proposal that is over, in a diff that was opened again. */
export function endedProposal(): string {
  return vscode.l10n.t(
    'This proposal is over: it was accepted or rejected, or its window was closed. Its request is in Recent Requests: open the reply there, or run it again.',
  );
}
