import type { RequestToHost, RequestToPage } from '../../shared/protocol/requestProtocol.ts';
import { acquireHost } from '../kit/host.ts';
import { usePageLanguage } from '../kit/usePageLanguage.ts';
import { loadMarkdown } from '../markdown/markdownChunk.ts';
import { RequestPage } from './requestPage.ts';

usePageLanguage();
const host = acquireHost<never, RequestToHost, RequestToPage>();
const page = new RequestPage((message) => host.post(message));
document.getElementById('parlance-request')?.append(page.element);
await loadMarkdown();
host.listen((message) => page.receive(message));
host.post({ type: 'ready' });
