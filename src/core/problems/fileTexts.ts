import * as l10n from '@vscode/l10n';
import { bytesText } from '../../words/bytes.ts';
import { diskAdvice } from './diskAdvice.ts';
import { reasonOf } from './reasonOf.ts';

/** What a notification says about a file that the user selected. */
export function unreadFileText(name: string, error: unknown): string {
  return l10n.t("Couldn't read {0}: {1}", name, reasonOf(error));
}

/** A copy of it is stored, which can also fail. */
export function uncopiedFileText(name: string, error: unknown): string {
  return l10n.t("Couldn't read or save {0}: {1}", name, reasonOf(error));
}

export function emptyFileText(name: string): string {
  return l10n.t('{0} is empty. Select another file.', name);
}

/**
 * @param most in bytes
 * @param way what can be done instead
 */
export function largeFileText(name: string, most: number, way: 'split' | 'url'): string {
  switch (way) {
    case 'split':
      return l10n.t('{0} is over {1}, too large for one request. Split it first.', name, bytesText(most));
    case 'url':
      return l10n.t('{0} is over {1}, too large for a request. Enter a URL instead.', name, bytesText(most));
  }
}

export function unsavedCopyText(error: unknown): string {
  return l10n.t("Couldn't save the copy. The file is still in the Media view. {0}", reasonOf(error));
}

export function unsavedSubtitlesText(error: unknown): string {
  return l10n.t("Couldn't save the subtitles, so they were opened as a document. {0}", reasonOf(error));
}

export function refusedEditText(name: string): string {
  return l10n.t("Couldn't edit {0}", name);
}

/** @param savedAs path of the file that the tag shows */
export function refusedTagText(name: string, savedAs: string): string {
  return l10n.t(
    "Couldn't edit {0}. The file was saved next to it as {1}, and the tag that shows it was copied to the clipboard.",
    name,
    savedAs,
  );
}

export function refusedCodeText(name: string): string {
  return l10n.t("Couldn't insert the code: {0} is read-only.", name);
}

/** What couldn't be written, but is kept in this window. */
export type Unsaved = 'conversation' | 'draft' | 'media' | 'requests' | 'replies';

/**
 * What a notification says about something that couldn't be written: what it is, what was kept, and what to do.
 *
 * @param platform as Node names it, for example `win32`
 */
export function unsavedText(what: Unsaved, error: unknown, platform: string): string {
  const kept: Readonly<Record<Unsaved, string>> = {
    conversation: l10n.t("Couldn't save a conversation. It's kept in this window and saved as soon as possible."),
    draft: l10n.t("Couldn't save a draft. It's kept in this window and saved as soon as possible."),
    media: l10n.t(
      "Couldn't save the list of the Media view. Changes are kept in this window and saved as soon as possible.",
    ),
    requests: l10n.t("Couldn't save the request history. It's kept in this window and saved as soon as possible."),
    replies: l10n.t(
      "Couldn't save replies of a comparison, measurement, or check. They're kept in this window and saved as soon as possible.",
    ),
  };

  return `${kept[what]} ${diskAdvice(error, platform)}`;
}
