import type { Page } from 'playwright-core';
import type { ToMediaHost } from '../../../src/shared/protocol/mediaProtocol.ts';
import type { UnnumberedMedia } from './fakeMediaHost.ts';
import { RecordingBrowser } from './recordingBrowser.ts';

export class MediaBrowser extends RecordingBrowser {
  constructor() {
    super('media', 420);
  }
}

export function tell(page: Page, message: UnnumberedMedia): Promise<void> {
  return page.evaluate((sent) => window.mediaHost.send(sent), message);
}

/** Everything that the page has sent of this type, oldest first. */
export async function told<T extends ToMediaHost['type']>(
  page: Page,
  type: T,
): Promise<readonly Extract<ToMediaHost, { type: T }>[]> {
  const posted = await page.evaluate(() => window.mediaHost.posted);
  return posted.filter((message): message is Extract<ToMediaHost, { type: T }> => message.type === type);
}
