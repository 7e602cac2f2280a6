import * as l10n from '@vscode/l10n';
import type { Problem } from '../../shared/problem.ts';
import { inline } from '../../words/inline.ts';
import { warning } from '../../words/warning.ts';

/** A prompt about an editor was asked for and none is there. */
export function problemOfNoEditor(): Problem {
  return warning(l10n.t('No editor is open'), l10n.t('Open a file, select the text for the prompt, then try again.'));
}

/** There is nothing in the document to send. */
export function problemOfNothingSelected(): Problem {
  return warning(l10n.t('Nothing to send'), l10n.t('This document is empty. Write or select something first.'));
}

/** What a prompt is about was deleted or replaced before it could be sent. */
export function problemOfLostSelection(): Problem {
  return warning(
    l10n.t('The selection has changed'),
    l10n.t('The selected text was edited, so nothing was sent. Select it again, then retry.'),
  );
}

/** The model wrote nothing that could stand in the document. */
export function problemOfEmptyReply(): Problem {
  return warning(
    l10n.t('The reply has no text'),
    l10n.t('Nothing was changed. Run the prompt again, or select another model.'),
  );
}

/** The code that was to be replaced is no longer what was sent. */
export function problemOfChangedCode(lines: string): Problem {
  return warning(
    l10n.t('You edited the same lines'),
    l10n.t('Your edits were kept: {0}. Open the proposed change to copy what you need.', lines),
  );
}

/** The place of a proposal cannot be found any more. */
export function problemOfLostPlace(): Problem {
  return warning(
    l10n.t('The code to replace is gone'),
    l10n.t('Nothing was changed. Open the proposed change to copy what you need.'),
  );
}

/** The text that streams in was edited where it is written. */
export function problemOfDisturbedText(): Problem {
  return warning(
    l10n.t('You edited the text as it was inserted'),
    l10n.t("Parlance stopped inserting so that your edits aren't overwritten. Open the reply to see all of it."),
  );
}

/** The document takes no edits. */
export function problemOfReadOnly(name: string): Problem {
  return warning(
    l10n.t("{0} can't be edited", inline(name, 80)),
    l10n.t('The reply opens in a document beside it instead.'),
  );
}

/** A reply about several cells of a notebook has no one place in it. */
export function problemOfSeveralCells(): Problem {
  return warning(
    l10n.t('Several cells are selected'),
    l10n.t(
      "All of them are sent. The reply opens in a document beside them because it can't be written into several cells.",
    ),
  );
}

/** The document refused an edit that it should have taken. */
export function problemOfRefusedEdit(name: string): Problem {
  return warning(
    l10n.t("Couldn't edit {0}", inline(name, 80)),
    l10n.t('It might be read-only. Nothing was changed. Open the reply to see all of it.'),
  );
}

/** A prompt file that cannot be run as it is. */
export function problemOfPromptFile(name: string, message: string, line: number): Problem {
  return warning(
    l10n.t('{0} has an error', inline(name, 80)),
    l10n.t('Line {0}: {1} Nothing was sent.', line, inline(message)),
  );
}

/** A prompt file that cannot be read. */
export function problemOfUnreadablePrompt(name: string, reason: string): Problem {
  return warning(l10n.t("Couldn't read {0}", inline(name, 80)), l10n.t('Reason: {0}', inline(reason)));
}
