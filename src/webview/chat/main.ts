import * as l10n from '@vscode/l10n';
import { acquireHost } from '../host.ts';
import { ChatPage } from './chatPage.ts';
import type { KeptState } from './pageMemory.ts';

const translations = document.body.dataset['l10n'];
// Before anything is built: each text is read when its control is made.
if (translations !== undefined && translations !== '') l10n.config({ contents: translations });

const language = document.documentElement.lang;
const page = new ChatPage(acquireHost<KeptState>(), language === '' ? undefined : language);
document.getElementById('parlance-chat')?.append(page.element);
window.addEventListener('message', (event: MessageEvent<unknown>) => page.receive(event.data));
page.start();
