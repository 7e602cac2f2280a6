import * as l10n from '@vscode/l10n';
import type { Problem } from '../../shared/problem.ts';
import { inline } from '../../words/inline.ts';

/** A prompt about an editor was asked for and none is there. */
export function problemOfNoEditor(): Problem {
  return warning(l10n.t('No editor is open'), l10n.t('Open a file, select what the prompt is about, then try again.'));
}

/** There is nothing in the document to send. */
export function problemOfNothingSelected(): Problem {
  return warning(
    l10n.t('There is nothing here to send'),
    l10n.t('This document is empty. Write or select something first.'),
  );
}

/** What a prompt is about was deleted or replaced before it could be sent. */
export function problemOfLostSelection(): Problem {
  return warning(
    l10n.t('What was selected is gone'),
    l10n.t('It was changed meanwhile, so nothing was sent. Select what the prompt is about, then try again.'),
  );
}

/** The model wrote nothing that could stand in the document. */
export function problemOfEmptyReply(): Problem {
  return warning(
    l10n.t('The reply has no text'),
    l10n.t('Nothing was changed. Run the prompt again, or choose another model.'),
  );
}

/** The code that was to be replaced is no longer what was sent. */
export function problemOfChangedCode(lines: string): Problem {
  return warning(
    l10n.t('You changed the same lines meanwhile'),
    l10n.t('They are left as you wrote them: {0}. Open the proposal to take over what you want by hand.', lines),
  );
}

/** The place of a proposal cannot be found any more. */
export function problemOfLostPlace(): Problem {
  return warning(
    l10n.t('The code that was to be replaced is gone'),
    l10n.t('Nothing was changed. Open the proposal to take over what you want by hand.'),
  );
}

/** The text that streams in was edited where it is written. */
export function problemOfDisturbedText(): Problem {
  return warning(
    l10n.t('You edited the text while it was written'),
    l10n.t('Parlance stopped inserting, so that nothing of yours is overwritten. Open the reply to see all of it.'),
  );
}

/** The document takes no edits. */
export function problemOfReadOnly(name: string): Problem {
  return warning(
    l10n.t('{0} cannot be edited', inline(name, 80)),
    l10n.t('The reply goes to a document beside it instead.'),
  );
}

/** A reply about several cells of a notebook has no one place in it. */
export function problemOfSeveralCells(): Problem {
  return warning(
    l10n.t('Several cells are selected'),
    l10n.t('All of them are sent. The reply goes to a document beside them, since it cannot be written into several.'),
  );
}

/** The document refused an edit that it should have taken. */
export function problemOfRefusedEdit(name: string): Problem {
  return warning(
    l10n.t('{0} took no change', inline(name, 80)),
    l10n.t('It may be read-only. Nothing was changed; open the reply to see all of it.'),
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
  return warning(l10n.t('{0} cannot be read', inline(name, 80)), l10n.t('The reason: {0}', inline(reason)));
}

function warning(title: string, detail: string): Problem {
  return { severity: 'warning', title, detail, actions: [], technical: '' };
}
