import * as l10n from '@vscode/l10n';
import type { Problem } from '../../shared/problem.ts';
import { diskAdvice, diskReason } from './diskAdvice.ts';
import { inline } from '../../words/inline.ts';
import { tokensText } from '../../words/tokens.ts';
import { warning } from '../../words/warning.ts';
import { numberText } from '../../words/numberText.ts';

/** A message was sent while a reply is being written. @param isElsewhere in another window, which alone can stop it */
export function problemOfRunningReply(isElsewhere = false): Problem {
  return warning(
    l10n.t('A reply is still being written'),
    isElsewhere
      ? l10n.t('Stop it in the other window or wait until it finishes, then send again. Your text was kept.')
      : l10n.t('Stop it or wait until it finishes, then send again. Your text was kept.'),
  );
}

/**
 * The service dropped some of a request without an error.
 * @param counted tokens of the request according to the service
 * @param sent tokens that it had at least
 */
export function problemOfDroppedText(counted: number, sent: number, canLeaveOut: boolean): Problem {
  const retry = { kind: 'retry', label: l10n.t('Retry') } as const;
  const leaveOut = { kind: 'leaveOutEarliest', label: l10n.t('Exclude Earliest Messages') } as const;
  const selectModel = { kind: 'selectModel', label: l10n.t('Select Another Model…') } as const;
  return {
    ...warning(
      l10n.t('The beginning was probably dropped'),
      [
        l10n.t(
          'The request had at least {0}, but the service counted {1}. The model probably got only the last part, because the context window is too small.',
          tokensText(sent, false),
          tokensText(counted, false),
        ),
        l10n.t('Increase the context window of the server (in Ollama: OLLAMA_CONTEXT_LENGTH or num_ctx), then retry.'),
        canLeaveOut ? l10n.t('Or exclude the earliest messages, so that you know what is sent.') : undefined,
      ]
        .filter((sentence) => sentence !== undefined)
        .join(' '),
    ),
    actions: canLeaveOut ? [leaveOut, selectModel, retry] : [selectModel, retry],
  };
}

/** Some lines of a conversation's file couldn't be read. */
export function problemOfDamagedConversation(lines: number): Problem {
  return warning(
    l10n.t("Part of this conversation can't be read"),
    l10n.t('Unreadable lines: {0}. The file was left unchanged, and new messages are added to it.', numberText(lines)),
  );
}

/** The disk is full, or the folder isn't writable. */
export function problemOfUnsavedConversation(error: unknown, platform: string): Problem {
  return {
    ...warning(
      l10n.t("This conversation isn't saved"),
      [
        l10n.t("It's kept in this window only, and is saved as soon as possible."),
        diskAdvice(error, platform),
        l10n.t('Reason: {0}', inline(diskReason(error))),
      ].join(' '),
    ),
    severity: 'error',
    actions: [{ kind: 'showLog', label: l10n.t('Show Log') }],
  };
}

/** A conversation's file couldn't be read at all. */
export function problemOfUnreadableConversation(reason: string): Problem {
  return {
    ...warning(
      l10n.t("This conversation can't be opened"),
      l10n.t('Its file was left unchanged. Reason: {0}', inline(reason)),
    ),
    severity: 'error',
    actions: [
      { kind: 'newChat', label: l10n.t('New Chat') },
      { kind: 'showLog', label: l10n.t('Show Log') },
    ],
  };
}
