import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { takePageFaults } from '../workbench/pageFaults.ts';

describe('A page', () => {
  it('is watched: what it throws or writes to its console as an error is known to this suite', async function () {
    const port = Number(process.env['PARLANCE_HOST_PAGE_FAULTS'] ?? 0);
    if (port === 0) this.skip();
    const panel = vscode.window.createWebviewPanel('watched', 'Watched', vscode.ViewColumn.One, {
      enableScripts: true,
    });
    try {
      const loaded = new Promise((resolve) => panel.webview.onDidReceiveMessage(resolve));
      panel.webview.html = `<script>
        setTimeout(() => { throw new Error('thrown by the page'); });
        console.error('told by the page');
        acquireVsCodeApi().postMessage('loaded');
      </script>`;
      await loaded;
      const faults = await takePageFaults(port);
      for (const [kind, words] of [
        ['error', 'told by the page'],
        ['pageerror', 'thrown by the page'],
      ] as const)
        assert.ok(
          faults.some((fault) => fault.startsWith(kind) && fault.includes(words)),
          faults.join('\n'),
        );
    } finally {
      panel.dispose();
    }
  });
});
