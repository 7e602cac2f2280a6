import type { RequestToHost, RequestToPage } from '../../shared/protocol/requestProtocol.ts';
import { acquireHost } from '../kit/host.ts';
import { preparePage } from '../kit/preparePage.ts';
import { loadMarkdown } from '../markdown/markdownChunk.ts';
import { RequestPage } from './requestPage.ts';

preparePage();
const host = acquireHost<never, RequestToHost, RequestToPage>();
const page = new RequestPage((message) => host.post(message));
document.getElementById('parlance-request')?.append(page.element);
await loadMarkdown();
host.listen((message) => page.receive(message));
host.post({ type: 'ready' });
