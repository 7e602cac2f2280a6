import type { ToCompareHost, ToComparePage } from '../../shared/protocol/compareProtocol.ts';
import { acquireHost } from '../kit/host.ts';
import { preparePage } from '../kit/preparePage.ts';
import { loadMarkdown } from '../markdown/markdownChunk.ts';
import { ComparePage, type KeptComparison } from './comparePage.ts';

preparePage();
const host = acquireHost<KeptComparison, ToCompareHost, ToComparePage>();
const page = new ComparePage(host);
document.getElementById('parlance-compare')?.append(page.element);
page.start();
await loadMarkdown();
host.listen((message) => page.receive(message));
