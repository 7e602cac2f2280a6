import type { UsageToHost, UsageToPage } from '../../shared/protocol/usageProtocol.ts';
import { acquireHost } from '../kit/host/host.ts';
import { preparePage } from '../kit/preparePage.ts';
import { UsagePage } from './usagePage.ts';

preparePage();
const host = acquireHost<never, UsageToHost, UsageToPage>();
const page = new UsagePage();
document.getElementById('parlance-usage')?.append(page.element);
host.listen(({ usage }) => page.show(usage));
host.post({ type: 'ready' });
