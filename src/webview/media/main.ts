import type { ToMediaHost, ToMediaPage } from '../../shared/protocol/mediaProtocol.ts';
import { acquireHost } from '../kit/host/host.ts';
import { preparePage } from '../kit/preparePage.ts';
import { type KeptKind, MediaPage } from './mediaPage.ts';

preparePage();
const host = acquireHost<KeptKind, ToMediaHost, ToMediaPage>();
const page = new MediaPage(host);
document.getElementById('parlance-media')?.append(page.element);
host.listen((message) => page.receive(message));
page.start();
