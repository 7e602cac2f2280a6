import type { ToMeasureHost, ToMeasurePage } from '../../shared/protocol/measureProtocol.ts';
import { acquireHost } from '../kit/host/host.ts';
import { preparePage } from '../kit/preparePage.ts';
import { MeasurePage } from './measurePage.ts';

preparePage();
const host = acquireHost<never, ToMeasureHost, ToMeasurePage>();
const page = new MeasurePage(host);
document.getElementById('parlance-measure')?.append(page.element);
host.listen((message) => page.receive(message));
page.start();
