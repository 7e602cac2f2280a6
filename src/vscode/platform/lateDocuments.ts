import * as vscode from 'vscode';
import { DisposableList } from './disposables.ts';

/** Documents of a scheme of ours, whose contents are loaded when VS Code wants the first: in a restored tab too. */
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
