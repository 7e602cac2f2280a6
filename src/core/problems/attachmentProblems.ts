import * as l10n from '@vscode/l10n';
import type { AttachmentLostFailure } from '../../shared/apiFailure.ts';
import type { Problem } from '../../shared/problem.ts';
import { kept, type ProblemContext, type ProblemDraft } from './problemDraft.ts';
import { bytesText } from '../../words/bytes.ts';
import { inline } from '../../words/inline.ts';
import { notAddedText } from '../../words/additionProblems.ts';
import { warning } from '../../words/warning.ts';
import { numberText } from '../../words/numberText.ts';

/** The file of an attachment is gone, so the message wasn't sent without it. */
export function attachmentLostProblem(failure: AttachmentLostFailure, context: ProblemContext): ProblemDraft {
  return {
    title: l10n.t("An attachment can't be read"),
    detail: [
      l10n.t('The saved file for "{0}" is missing or damaged.', inline(failure.name, 80)),
      l10n.t('Nothing was sent.'),
      kept(context),
      l10n.t('Delete the message it belongs to, or start a new chat.'),
    ],
    actions: ['newChat', 'showLog'],
  };
}

/** There's nothing of this kind to add. */
export function problemOfNothingToAdd(
  what: 'selection' | 'terminal' | 'clipboard' | 'problems' | 'symbols' | 'openEditors' | 'folder',
): Problem {
  switch (what) {
    case 'selection':
      return warning(l10n.t('Nothing is selected'), l10n.t('Select text in an editor, then add it.'));
    case 'terminal':
      return warning(
        l10n.t('Nothing is selected in the terminal'),
        l10n.t('Select text in the active terminal, then add it.'),
      );
    case 'clipboard':
      return warning(
        l10n.t('The clipboard contains no text'),
        l10n.t('Copy text, then add it. To add an image, paste it into the message box.'),
      );
    case 'problems':
      return warning(l10n.t('There are no problems'), l10n.t("VS Code shows none here, so there's nothing to add."));
    case 'symbols':
      return warning(
        l10n.t('No symbols were found'),
        l10n.t("Symbols aren't available for this language. Select the code and add the selection instead."),
      );
    case 'openEditors':
      return warning(
        l10n.t('No open file can be added'),
        l10n.t(
          "No files are open, or they're ignored, might contain secrets, or aren't text. Add a file by name instead.",
        ),
      );
    case 'folder':
      return warning(l10n.t('No folder is open'), l10n.t('Open a folder, then add its tree.'));
  }
}

export function problemOfNoChanges(staged: boolean): Problem {
  return staged
    ? warning(l10n.t('Nothing is staged'), l10n.t('Stage changes in Source Control, then add them.'))
    : warning(l10n.t('There are no changes'), l10n.t('Nothing has changed since you last staged or committed.'));
}

/** There are changes, but none that can be sent without asking. */
export function problemOfSecretChanges(): Problem {
  return warning(
    l10n.t('No changed file can be sent'),
    l10n.t('Their names suggest secrets, or Git uses an external diff tool (diff.external).'),
  );
}

export function problemOfNoGit(): Problem {
  return warning(
    l10n.t("Git isn't available"),
    l10n.t(
      "VS Code's Git extension is disabled, has no repository here, or runs on a different machine than Parlance.",
    ),
  );
}

/** A commit message was requested. */
export function noGitExtensionText(): string {
  return l10n.t(
    "Couldn't reach VS Code's Git extension. It's disabled, blocked by Restricted Mode, or running on the remote machine.",
  );
}

/** @param characters length of the text */
export function problemOfLongContext(name: string, characters: number): Problem {
  return warning(
    l10n.t('"{0}" is too long', inline(name, 80)),
    l10n.t('It has about {0} characters. Select the part that matters and add the selection.', numberText(characters)),
  );
}

export function problemOfUnreadableFile(name: string, reason: string): Problem {
  return warning(notAddedText(name), reason === '' ? l10n.t("It isn't a text file.") : inline(reason));
}

/** For files that were dropped on the page. */
export function problemOfForeignFile(): Problem {
  return warning(
    l10n.t('Only files from this workspace can be dropped here'),
    l10n.t('To add any other file, use Add Context.'),
  );
}

export function problemOfTooManyAttachments(most: number): Problem {
  return warning(
    l10n.t('Too many attachments'),
    l10n.t('You can attach up to {0} items to a message. Remove one, then try again.', most),
  );
}

/** Part of what the user saw next to a message no longer exists. */
export function problemOfChangedAttachments(): Problem {
  return warning(
    l10n.t('The attachments have changed'),
    l10n.t('Some were removed, or sent from another window. Review the rest, then send again.'),
  );
}

/** An image in a format that models don't accept. */
export function problemOfPictureFormat(name: string): Problem {
  return warning(
    l10n.t('"{0}" isn\'t a supported image', inline(name, 80)),
    l10n.t('Supported formats: PNG, JPEG, WebP, and GIF.'),
  );
}

/** @param most in bytes */
export function problemOfLargePicture(name: string, most: number): Problem {
  return warning(
    l10n.t('"{0}" is too large', inline(name, 80)),
    l10n.t('An image can have up to {0}. To have it scaled down, lower the setting Max Image Size.', bytesText(most)),
  );
}

/** An earlier window's list of attachments is damaged. */
export function problemOfDamagedDraft(): Problem {
  return warning(
    l10n.t("Some attachments of this message can't be read"),
    l10n.t('The others are shown. The files are kept on disk; add them again to send them.'),
  );
}

/** The disk is full, or the folder isn't writable. */
export function problemOfUnsavedAttachment(name: string, reason: string): Problem {
  return {
    ...warning(
      l10n.t('Couldn\'t save "{0}"', inline(name, 80)),
      l10n.t("It wasn't added. Reason: {0}", inline(reason)),
    ),
    severity: 'error',
  };
}
