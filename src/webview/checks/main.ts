import type { ChecksToHost, ChecksToPage } from '../../shared/checks.ts';
import { acquireHost } from '../kit/host.ts';
import { usePageLanguage } from '../kit/usePageLanguage.ts';
import { ChecksPage } from './checksPage.ts';

usePageLanguage();
const host = acquireHost<never, ChecksToHost, ChecksToPage>();
const page = new ChecksPage((message) => host.post(message));
document.getElementById('parlance-checks')?.append(page.element);
host.listen((message) => {
  if (message.type === 'checks') page.show(message.view);
  else page.showDetail(message.detail);
});
host.post({ type: 'ready' });
