import type { ToHost, ToPage } from '../../shared/protocol/chatProtocol.ts';
import { acquireHost } from '../kit/host/host.ts';
import { preparePage } from '../kit/preparePage.ts';
import { ChatPage } from './page/chatPage.ts';
import { bringsMessages, loadTranscript } from './transcript/lateTranscript.ts';
import type { KeptState } from './page/pageMemory.ts';

preparePage();
// If it fails, the first message that needs it tells the host, and the user.
loadTranscript().catch(() => undefined);
const host = acquireHost<KeptState, ToHost, ToPage>();
const page = new ChatPage(host);
document.getElementById('parlance-chat')?.append(page.element);
page.start();
host.listen(page.receive, (message) =>
  bringsMessages(message) ? page.silence.unlessLoaded(loadTranscript()) : undefined,
);
