import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ChecksView } from '../../src/shared/checks.ts';
import type { ChecksToHost, ChecksToPage } from '../../src/shared/protocol/checksProtocol.ts';
import { ChecksPanel } from '../../src/vscode/checks/checksPanel.ts';
import type { ChecksStand } from './checksStand.ts';

/** The table of checks, with everything below it real except the page. Dispose of it before another panel is opened. */
export function checksTable({ tests }: ChecksStand, extensionUri: vscode.Uri) {
  const views: ChecksView[] = [];
  const received = new vscode.EventEmitter<ChecksToHost>();
  const webview = {
    asWebviewUri: (uri: vscode.Uri) => uri,
    onDidReceiveMessage: received.event,
    postMessage: async (message: ChecksToPage) => {
      if (message.type === 'checks') views.push(message.view);
      return true;
    },
  };
  const panel = { webview, onDidDispose: new vscode.EventEmitter<void>().event, dispose: () => undefined };
  const { createWebviewPanel } = vscode.window;
  Object.assign(vscode.window, { createWebviewPanel: () => panel });
  const fail = (error: unknown) => assert.ifError(error);
  const table = new ChecksPanel({
    chatDefaults: () => ({}),
    tests,
    experiments: () => assert.fail('No run is opened'),
    extensionUri,
    pageLog: { error: fail, debug: () => undefined },
    onError: fail,
    tell: fail,
    say: () => undefined,
  });
  return {
    table,
    /** What the page was sent, oldest first. */
    views,
    /** What the page sends. */
    received,
    dispose: () => {
      Object.assign(vscode.window, { createWebviewPanel });
      table.dispose();
    },
  };
}
