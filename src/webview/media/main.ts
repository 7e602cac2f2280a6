import type { ToMediaHost, ToMediaPage } from '../../shared/mediaProtocol.ts';
import { writeNumbersIn } from '../../words/numberText.ts';
import { acquireHost } from '../kit/host.ts';
import { pageLanguage } from '../kit/pageLanguage.ts';
import { type KeptKind, MediaPage } from './mediaPage.ts';

const language = pageLanguage();
if (language !== undefined) writeNumbersIn(language);
const host = acquireHost<KeptKind, ToMediaHost, ToMediaPage>();
const page = new MediaPage(host, language);
document.getElementById('parlance-media')?.append(page.element);
host.listen((message) => page.receive(message));
page.start();
