import type { Page } from 'playwright-core';
import type { ToCompareHost } from '../../../src/shared/protocol/compareProtocol.ts';
import type { UnnumberedCompare } from './fakeCompareHost.ts';
import { RecordingBrowser } from './recordingBrowser.ts';

export class CompareBrowser extends RecordingBrowser {
  constructor() {
    super('compare', 1200);
  }
}

export function tell(page: Page, message: UnnumberedCompare): Promise<void> {
  return page.evaluate((sent) => window.compareHost.send(sent), message);
}

/** Everything that the page has sent of this type, oldest first. */
export async function told<T extends ToCompareHost['type']>(
  page: Page,
  type: T,
): Promise<readonly Extract<ToCompareHost, { type: T }>[]> {
  const posted = await page.evaluate(() => window.compareHost.posted);
  return posted.filter((message): message is Extract<ToCompareHost, { type: T }> => message.type === type);
}
