import * as l10n from '@vscode/l10n';
import type { ToMediaHost } from '../../shared/mediaProtocol.ts';
import { writeNumbersIn } from '../../shared/numberText.ts';
import { acquireHost } from '../kit/host.ts';
import { type KeptKind, MediaPage } from './mediaPage.ts';

const translations = document.body.dataset['l10n'];
// Before anything is built: each text is read when its control is made.
if (translations !== undefined && translations !== '') l10n.config({ contents: translations });

const language = document.documentElement.lang;
if (language !== '') writeNumbersIn(language);
const page = new MediaPage(acquireHost<KeptKind, ToMediaHost>(), language === '' ? undefined : language);
document.getElementById('parlance-media')?.append(page.element);
window.addEventListener('message', (event: MessageEvent<unknown>) => page.receive(event.data));
page.start();
