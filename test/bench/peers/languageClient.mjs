import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

/** Starts a language server for the window's files in its language. */
export async function startServer({ language, module, command, env }) {
  const run =
    module === undefined
      ? { command, options: { env: { ...process.env, ...env } } }
      : { module, transport: TransportKind.ipc };
  const client = new LanguageClient(language, { run, debug: run }, { documentSelector: [{ language }] });
  await client.start();
}
