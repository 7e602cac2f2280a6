import type { RequestToHost, RequestToPage } from '../../shared/protocol/requestProtocol.ts';
import { acquireHost } from '../kit/host/host.ts';
import { preparePage } from '../kit/preparePage.ts';
import { SilenceBar } from '../kit/silenceBar.ts';
import { loadMarkdown } from '../markdown/markdownChunk.ts';
import { RequestPage } from './requestPage.ts';

preparePage();
const host = acquireHost<never, RequestToHost, RequestToPage>();
const silence = new SilenceBar();
const page = new RequestPage((message) => host.post(message));
document.getElementById('parlance-request')?.append(silence.element, page.element);
// If it fails, the first message tells the host, too.
const loading = silence.unlessLoaded(loadMarkdown());
loading.catch(() => undefined);
host.listen(
  (message) => page.receive(message),
  () => loading,
);
host.post({ type: 'ready' });
