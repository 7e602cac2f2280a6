import * as vscode from 'vscode';

/** The lowest VS Code version we support, as the suite runs it: a server from npm, without built-in extensions. */
export const isLowestHost = vscode.version.startsWith('1.106.');
