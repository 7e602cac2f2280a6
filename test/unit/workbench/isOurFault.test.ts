import assert from 'node:assert/strict';
import { isOurFault } from '../../workbench/isOurFault.ts';

describe('An error during a test', () => {
  for (const fault of [
    'pageerror TypeError: broken\n    at https://x.vscode-resource.vscode-cdn.net/project/dist/webview/chat.js:1:2',
    'error Refused to load the image https://x.vscode-webview.net/index.html',
    'error %c  ERR color: #f33 [parlance.parlance]: broken http://localhost:1/static/workbench.js',
    'extension host: Error: broken\n    at /project/dist/late/registerChat.js:1:2',
    'extension host: console.error: broken\n    at file:///project/dist/chunks/chunk-SST3RQKG.js:1:2',
    'extension host: Error: broken\n    at /data/extensions/parlance.parlance-0.1.0/dist/extension.js:1:2',
    'extension host: Error: broken\n    at /project/dist/extension.js:1:2\n    at n (/server/extensions/git/dist/extension.js:1:2)',
    'command parlance.newChat: Error: broken',
    'command parlance.newChat: Error: Canceled by the service',
    'extension host: unhandled rejection: Error: The state Canceled is unknown\n    at /project/dist/late/registerChat.js:1:2',
    'extension host: Error: broken\n    at /project/dist/late/registerChat.js:1:2\n[cause]: Canceled: Canceled',
    // Nothing in these says whose they are, so they count.
    'extension host: unhandled rejection: a text',
    'extension host: unhandled rejection: undefined',
    'extension host: unhandled rejection: Error: broken',
    'extension host: uncaught exception: [object Object]',
  ]) {
    it(`is ours: ${fault.slice(0, 40)}`, () => assert.equal(isOurFault(fault), true));
  }

  for (const fault of [
    "error Activating extension 'vscode.npm' failed: Not Found. http://localhost:1/static/workbench.js",
    "error The API key wasn't accepted. http://localhost:1/static/workbench.js",
    'pageerror Error: of its own\n    at http://localhost:1/static/out/vs/code/browser/workbench/workbench.js:1:2',
    'pageerror Error: Found unexpected null\n    at assertIsDefined (http://localhost:1/static/out/vs/workbench/contrib/webview/browser/pre/index.html?id=414a&extensionId=parlance.parlance&platform=browser:94:11)',
    'error %c  ERR color: #f33 Webview.loadLocalResource - Error using fileReader. requestUri=vscode-remote://localhost:1/project/dist/webview/chunks/chunk-EWB3IA4R.js http://localhost:1/static/workbench.js',
    "extension host: Error: Cannot find module './build/Release/watchdog'",
    'extension host: Error: Starting server failed\n    at $start (/server/lib/vscode/extensions/markdown-language-features/dist/extension.js:1:2)',
    'extension host: Error: broken\n    at n (C:\\vscode\\built-in\\git\\dist\\extension.js:1:2)',
    'command parlance.newChat: Canceled: Canceled',
    'extension host: Error: Canceled\n    at /project/dist/late/registerChat.js:1:2',
    'error %c  ERR color: #f33 Canceled: Canceled\n    at /project/dist/late/registerChat.js:1:2 http://localhost:1/static/workbench.js',
    'pageerror Canceled: Canceled\n    at https://x.vscode-resource.vscode-cdn.net/project/dist/webview/chat.js:1:2',
    'extension host: unhandled rejection: Error: broken\n    at n (file:///server/lib/vscode/out/vs/workbench/api/node/extensionHostProcess.js:1:2)',
    'extension host: unhandled rejection: Error: broken\n    at n (file:///server/lib/vscode/extensions/git/dist/main.js:1:2)',
    'extension host: unhandled rejection: Error: broken\n    at n (file:///scratch/vscode/built-in/git/dist/main.js:1:2)',
    'extension host: unhandled rejection: Error: broken\n    at n (http://localhost:1/static/out/vs/code/browser/workbench/workbench.js:1:2)',
  ]) {
    it(`is VS Code's own: ${fault.slice(0, 40)}`, () => assert.equal(isOurFault(fault), false));
  }
});
