import * as vscode from 'vscode';
import { DisposableList } from '../disposables.ts';

export interface LateDocuments extends vscode.TextDocumentContentProvider {
  /** The part of a document that the user wrote. Everything else is a model's, a service's, or a file's. */
  readonly ownText?: (uri: vscode.Uri) => string | undefined;
}

/**
 * Documents with our own URI scheme, whose provider is loaded when VS Code needs the first one, for example in a
 * restored tab.
 */
export function registerLateDocuments(scheme: string, load: () => Promise<LateDocuments>): vscode.Disposable {
  const own = new DisposableList();
  const changed = own.add(new vscode.EventEmitter<vscode.Uri>());
  let loaded: LateDocuments | undefined;
  let watching: Promise<void> | undefined;
  own.add(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (uri, token) => {
        const provider = await load();
        // Before the first text is shown.
        await (watching ??= watch());
        if (provider !== loaded) {
          loaded = provider;
          const subscription = provider.onDidChange?.((each) => changed.fire(each));
          if (subscription !== undefined) own.add(subscription);
        }
        return provider.provideTextDocumentContent(uri, token);
      },
    }),
  );
  async function watch(): Promise<void> {
    const { keepInert } = await import('./openModelText.ts');
    own.add(keepInert(scheme, (uri) => loaded?.ownText?.(uri)));
  }
  return own;
}
