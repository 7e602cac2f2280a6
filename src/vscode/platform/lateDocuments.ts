import * as vscode from 'vscode';
import { DisposableList } from './disposables.ts';

/**
 * Documents with our own URI scheme, whose provider is loaded when VS Code needs the first one, for example in a
 * restored tab.
 */
export function registerLateDocuments(
  scheme: string,
  load: () => Promise<vscode.TextDocumentContentProvider>,
): vscode.Disposable {
  const own = new DisposableList();
  const changed = own.add(new vscode.EventEmitter<vscode.Uri>());
  let loaded: vscode.TextDocumentContentProvider | undefined;
  own.add(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (uri, token) => {
        const provider = await load();
        if (provider !== loaded) {
          loaded = provider;
          const subscription = provider.onDidChange?.((each) => changed.fire(each));
          if (subscription !== undefined) own.add(subscription);
        }
        return provider.provideTextDocumentContent(uri, token);
      },
    }),
  );
  return own;
}
