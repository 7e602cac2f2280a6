import type { ChecksToHost, ChecksToPage } from '../../shared/protocol/checksProtocol.ts';
import { acquireHost } from '../kit/host/host.ts';
import { preparePage } from '../kit/preparePage.ts';
import { ChecksPage } from './checksPage.ts';

preparePage();
const host = acquireHost<never, ChecksToHost, ChecksToPage>();
const page = new ChecksPage((message) => host.post(message));
document.getElementById('parlance-checks')?.append(page.element);
host.listen((message) => {
  if (message.type === 'checks') page.show(message.view);
  else page.showDetail(message.detail);
});
host.post({ type: 'ready' });
