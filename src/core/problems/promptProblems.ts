import * as l10n from '@vscode/l10n';
import type { Problem } from '../../shared/problem.ts';
import { inline } from '../../words/inline.ts';
import { warning } from '../../words/warning.ts';
import { refusedEditText } from './fileTexts.ts';

/** The prompt needs an open editor, but there's none. */
export function problemOfNoEditor(): Problem {
  return warning(l10n.t('No editor is open'), l10n.t('Open a file, select the text for the prompt, then try again.'));
}

/** The document is empty. */
export function problemOfNothingSelected(): Problem {
  return warning(l10n.t('Nothing to send'), l10n.t('This document is empty. Write or select something first.'));
}

/** The text that a prompt is about was deleted or replaced before it could be sent. */
export function problemOfLostSelection(): Problem {
  return warning(
    l10n.t('The selection has changed'),
    l10n.t('The selected text was edited, so nothing was sent. Select it again, then retry.'),
  );
}

/** The model wrote nothing that could be inserted into the document. */
export function problemOfEmptyReply(): Problem {
  return warning(
    l10n.t('The reply has no text'),
    l10n.t('Nothing was changed. Run the prompt again, or select another model.'),
  );
}

/** The code to replace has changed since it was sent. */
export function problemOfChangedCode(lines: string): Problem {
  return warning(
    l10n.t('You edited the same lines'),
    l10n.t('Your edits were kept: {0}. Open the proposed change to copy what you need.', lines),
  );
}

/** The position of a proposal can no longer be found. */
export function problemOfLostPlace(): Problem {
  return warning(
    l10n.t('The code to replace is gone'),
    l10n.t('Nothing was changed. Open the proposed change to copy what you need.'),
  );
}

/** The user edited the text while it was being written. */
export function problemOfDisturbedText(): Problem {
  return warning(
    l10n.t('You edited the text as it was inserted'),
    l10n.t("Parlance stopped inserting so that your edits aren't overwritten. Open the reply to see all of it."),
  );
}

/** The document is read-only. */
export function problemOfReadOnly(name: string): Problem {
  return warning(
    l10n.t("{0} can't be edited", inline(name, 80)),
    l10n.t('The reply opens in a document beside it instead.'),
  );
}

/** A reply about several notebook cells has no single place. */
export function problemOfSeveralCells(): Problem {
  return warning(
    l10n.t('Several cells are selected'),
    l10n.t(
      "All of them are sent. The reply opens in a document beside them because it can't be written into several cells.",
    ),
  );
}

/** The document refused an edit that it should have accepted. */
export function problemOfRefusedEdit(name: string): Problem {
  return warning(
    refusedEditText(inline(name, 80)),
    l10n.t('It might be read-only. Nothing was changed. Open the reply to see all of it.'),
  );
}

/** A prompt file with errors. */
export function problemOfPromptFile(name: string, message: string, line: number): Problem {
  return warning(
    l10n.t('{0} has an error', inline(name, 80)),
    l10n.t('Line {0}: {1} Nothing was sent.', line, inline(message)),
  );
}

/** A prompt file that can't be read. */
export function problemOfUnreadablePrompt(name: string, reason: string): Problem {
  return warning(l10n.t("Couldn't read {0}", inline(name, 80)), l10n.t('Reason: {0}', inline(reason)));
}
