import type { ToHost, ToPage } from '../../shared/chatProtocol.ts';
import { acquireHost } from '../kit/host.ts';
import { pageLanguage } from '../kit/pageLanguage.ts';
import { ChatPage } from './page/chatPage.ts';
import { loadMarkdown } from './transcript/markdownChunk.ts';
import type { KeptState } from './page/pageMemory.ts';

const host = acquireHost<KeptState, ToHost, ToPage>();
const page = new ChatPage(host, pageLanguage());
document.getElementById('parlance-chat')?.append(page.element);
page.start();
await loadMarkdown();
host.listen((message) => page.receive(message));
