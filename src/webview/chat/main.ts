import * as l10n from '@vscode/l10n';
import { acquireHost } from '../kit/host.ts';
import { ChatPage } from './page/chatPage.ts';
import { loadMarkdown } from './transcript/markdownChunk.ts';
import type { KeptState } from './page/pageMemory.ts';

const translations = document.body.dataset['l10n'];
// Before anything is built: each text is read when its control is made.
if (translations !== undefined && translations !== '') l10n.config({ contents: translations });

const language = document.documentElement.lang;
const page = new ChatPage(acquireHost<KeptState>(), language === '' ? undefined : language);
document.getElementById('parlance-chat')?.append(page.element);

// What the host says meanwhile is taken in order as soon as it can be drawn.
let early: unknown[] | undefined = [];
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (early === undefined) page.receive(data);
  else early.push(data);
});
page.start();
await loadMarkdown();
const waiting = early;
early = undefined;
for (const message of waiting) page.receive(message);
