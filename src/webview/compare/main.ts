import type { ToCompareHost, ToComparePage } from '../../shared/protocol/compareProtocol.ts';
import { acquireHost } from '../kit/host/host.ts';
import { preparePage } from '../kit/preparePage.ts';
import { SilenceBar } from '../kit/silenceBar.ts';
import { loadMarkdown } from '../markdown/markdownChunk.ts';
import { ComparePage, type KeptComparison } from './comparePage.ts';

preparePage();
const host = acquireHost<KeptComparison, ToCompareHost, ToComparePage>();
const silence = new SilenceBar();
const page = new ComparePage(host);
document.getElementById('parlance-compare')?.append(silence.element, page.element);
// If it fails, the first message tells the host, too.
const loading = silence.unlessLoaded(loadMarkdown());
loading.catch(() => undefined);
host.listen(
  (message) => page.receive(message),
  () => loading,
);
page.start();
