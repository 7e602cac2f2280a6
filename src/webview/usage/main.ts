import * as l10n from '@vscode/l10n';
import type { UsageToHost } from '../../shared/usage.ts';
import { acquireHost } from '../kit/host.ts';
import { isUsageMessage } from './isUsageMessage.ts';
import { UsagePage } from './usagePage.ts';

const translations = document.body.dataset['l10n'];
// Before anything is built: each text is read when its control is made.
if (translations !== undefined && translations !== '') l10n.config({ contents: translations });

const language = document.documentElement.lang;
const host = acquireHost<never, UsageToHost>();
const page = new UsagePage(language === '' ? undefined : language);
document.getElementById('parlance-usage')?.append(page.element);
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (isUsageMessage(event.data)) page.show(event.data.usage);
  else host.refuse(event.data);
});
host.post({ type: 'ready' });
