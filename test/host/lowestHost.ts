import * as vscode from 'vscode';

/** The lowest VS Code we support, as the suite runs in it: a server from npm, without what others bring. */
export const isLowestHost = vscode.version.startsWith('1.106.');
