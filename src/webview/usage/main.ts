import type { UsageToHost, UsageToPage } from '../../shared/usage.ts';
import { acquireHost } from '../kit/host.ts';
import { pageLanguage } from '../kit/pageLanguage.ts';
import { UsagePage } from './usagePage.ts';

const host = acquireHost<never, UsageToHost, UsageToPage>();
const page = new UsagePage(pageLanguage());
document.getElementById('parlance-usage')?.append(page.element);
host.listen(({ usage }) => page.show(usage));
host.post({ type: 'ready' });
