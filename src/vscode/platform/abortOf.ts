import type * as vscode from 'vscode';

/** A signal that a VS Code cancellation token aborts, until it's disposed. */
export function abortOf(token: vscode.CancellationToken): Disposable & { readonly signal: AbortSignal } {
  const abort = new AbortController();
  const subscription = token.onCancellationRequested(() => abort.abort());
  if (token.isCancellationRequested) abort.abort();
  return { signal: abort.signal, [Symbol.dispose]: () => subscription.dispose() };
}
