import * as l10n from '@vscode/l10n';
import { diskAdvice } from './diskAdvice.ts';

/**
 * What a notification says about something that couldn't be written: what it is, what was kept, and what to do.
 *
 * @param platform as Node names it, for example `win32`
 */
export function unsavedText(what: 'requests' | 'replies', error: unknown, platform: string): string {
  const kept = {
    requests: l10n.t("Couldn't save the request history. It's kept in this window and saved as soon as possible."),
    replies: l10n.t(
      "Couldn't save replies of a comparison, measurement, or check. They're kept in this window and saved as soon as possible.",
    ),
  };

  return `${kept[what]} ${diskAdvice(error, platform)}`;
}
