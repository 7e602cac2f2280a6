import * as vscode from 'vscode';

/**
 * Opens a web or mail address outside of VS Code, exactly as it's written. VS Code shows the host and asks.
 *
 * A `vscode.Uri` is decoded on the way: `?q=c%2B%2B` would be opened as `?q=c++`, and `%26` as a separator. VS Code also
 * takes strings, which its types don't say (microsoft/vscode#85930), and changes them only if a port of a remote
 * machine has to be forwarded.
 */
export async function openAddress(address: string): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  await vscode.env.openExternal(new URL(address).href as unknown as vscode.Uri);
}
