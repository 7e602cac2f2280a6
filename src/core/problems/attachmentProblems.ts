import * as l10n from '@vscode/l10n';
import type { AttachmentLostFailure } from '../../shared/apiFailure.ts';
import type { Problem } from '../../shared/problem.ts';
import { kept, type ProblemContext, type ProblemDraft, size } from './problemDraft.ts';
import { inline } from '../../words/inline.ts';

/** A file that goes with a message is gone, so the message was not sent as it stands. */
export function attachmentLostProblem(failure: AttachmentLostFailure, context: ProblemContext): ProblemDraft {
  return {
    title: l10n.t("An attachment can't be read"),
    detail: [
      l10n.t('The file kept for “{0}” is gone or damaged.', inline(failure.name, 80)),
      l10n.t('Nothing was sent.'),
      kept(context),
      l10n.t('Delete the message it belongs to, or start a new chat.'),
    ],
    actions: ['newChat', 'showLog'],
  };
}

/** There is nothing of this kind to add. */
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
        l10n.t('The clipboard holds no text'),
        l10n.t('Copy text, then add it. A picture can be pasted into the message itself.'),
      );
    case 'problems':
      return warning(l10n.t('There are no problems'), l10n.t('VS Code shows none here, so there is nothing to add.'));
    case 'symbols':
      return warning(
        l10n.t('No symbols were found'),
        l10n.t('The language of the open file tells of none. Select the code and add the selection.'),
      );
    case 'openEditors':
      return warning(
        l10n.t('No open file can be added'),
        l10n.t('None is open, or those that are open are ignored, look secret or are no text. Add one by its name.'),
      );
    case 'folder':
      return warning(l10n.t('No folder is open'), l10n.t('Open one, then add its tree.'));
  }
}

export function problemOfNoChanges(staged: boolean): Problem {
  return staged
    ? warning(l10n.t('Nothing is staged'), l10n.t('Stage changes in Source Control, then add them.'))
    : warning(l10n.t('There are no changes'), l10n.t('Git sees no difference to what is staged or committed.'));
}

/** There are changes, and none of them may be sent unasked. */
export function problemOfSecretChanges(): Problem {
  return warning(
    l10n.t('No changed file can be sent'),
    l10n.t('They look secret by their names, or a program of yours writes the diff in place of Git (diff.external).'),
  );
}

export function problemOfNoGit(): Problem {
  return warning(
    l10n.t('Git is not there'),
    l10n.t('VS Code’s Git extension is off, has no repository here, or runs on another machine than Parlance.'),
  );
}

/** @param characters its length */
export function problemOfLongContext(name: string, characters: number): Problem {
  return warning(
    l10n.t('“{0}” is too long', inline(name, 80)),
    l10n.t('It has about {0} characters. Select the part that matters and add the selection.', characters),
  );
}

export function problemOfUnreadableFile(name: string, reason: string): Problem {
  return warning(
    l10n.t('“{0}” cannot be added', inline(name, 80)),
    reason === '' ? l10n.t('It is not a text file.') : inline(reason),
  );
}

/** Where files were dropped on the page. */
export function problemOfForeignFile(): Problem {
  return warning(
    l10n.t('Only files of the open folder can be dropped here'),
    l10n.t('Use Add Context to choose any other file.'),
  );
}

export function problemOfTooManyAttachments(most: number): Problem {
  return warning(
    l10n.t('That is too much for one message'),
    l10n.t('A message takes up to {0} things. Remove one, then add this again.', most),
  );
}

/** What a person saw beside a message is not all there any more. */
export function problemOfChangedAttachments(): Problem {
  return warning(
    l10n.t('What goes with the message has changed'),
    l10n.t('Some of it was removed, or sent from another place. Look at what is left, then send again.'),
  );
}

/** The last message that the request would hold has a picture. */
export function problemOfBlindModel(model: string): Problem {
  return {
    ...warning(
      l10n.t('This model cannot see pictures'),
      l10n.t('The catalogue says that {0} takes text alone. Nothing was sent.', inline(model, 80)),
    ),
    actions: [{ kind: 'selectModel', label: l10n.t('Another Model…') }],
  };
}

/** Of another format than those that models take. */
export function problemOfPictureFormat(name: string): Problem {
  return warning(
    l10n.t('“{0}” is no picture that can be sent', inline(name, 80)),
    l10n.t('PNG, JPEG, WebP and GIF can.'),
  );
}

/** @param most in bytes */
export function problemOfLargePicture(name: string, most: number): Problem {
  return warning(
    l10n.t('“{0}” is too large', inline(name, 80)),
    l10n.t('A picture may have up to {0}. Set “Max Picture Pixels” lower to have it scaled down.', size(most)),
  );
}

/** The list of what was added to a message, as an earlier window left it. */
export function problemOfDamagedDraft(): Problem {
  return warning(
    l10n.t('A part of what was added to this message cannot be read'),
    l10n.t('What can be read is shown. The rest is kept on disk; add it again to send it.'),
  );
}

/** The disk is full, or the folder cannot be written. */
export function problemOfUnsavedAttachment(name: string, reason: string): Problem {
  return {
    ...warning(
      l10n.t('“{0}” could not be kept', inline(name, 80)),
      l10n.t('It was not added. The reason: {0}', inline(reason)),
    ),
    severity: 'error',
  };
}

function warning(title: string, detail: string): Problem {
  return { severity: 'warning', title, detail, actions: [], technical: '' };
}
