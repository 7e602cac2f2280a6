import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

/** Starts pyright for the window's Python files. */
export async function startPyright(module) {
  const options = { module, transport: TransportKind.ipc };
  const client = new LanguageClient(
    'pyright',
    { run: options, debug: options },
    { documentSelector: [{ language: 'python' }] },
  );
  await client.start();
}
