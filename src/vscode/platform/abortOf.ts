import type * as vscode from 'vscode';

/** A signal that a token of VS Code aborts, until it is disposed. */
export function abortOf(token: vscode.CancellationToken): Disposable & { readonly signal: AbortSignal } {
  const abort = new AbortController();
  const subscription = token.onCancellationRequested(() => abort.abort());
  if (token.isCancellationRequested) abort.abort();
  return { signal: abort.signal, [Symbol.dispose]: () => subscription.dispose() };
}
