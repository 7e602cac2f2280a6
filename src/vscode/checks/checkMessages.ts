import * as vscode from 'vscode';
import { type CheckAttempt, type CheckCell, cellCount } from '../../core/checks/checkResult.ts';
import { expectationText } from '../../core/checks/expectationText.ts';
import { markdownText } from '../../core/safety/markdownText.ts';
import { amountText } from '../../words/amount.ts';
import { durationText } from '../../words/duration.ts';
import { tokensText } from '../../words/tokens.ts';
import { openCheckRequestCommand } from './checkMessageCommand.ts';
import type { CheckLeaf } from './checkTree.ts';

/** `3/3`, `flaky 2/3`, `0/3`, or that it couldn't be run. */
export function checkCellText(cell: CheckCell): string {
  const { state, passed, counted } = cellCount(cell.attempts);
  const share = `${passed}/${counted}`;
  if (state === 'undecided')
    return counted === 0 ? vscode.l10n.t("couldn't run") : vscode.l10n.t("{0}, the rest couldn't run", share);
  return state === 'flaky' ? vscode.l10n.t('flaky {0}', share) : share;
}

/** Time and price of one run: `1.6 s · 472 tokens · 0.0012`. */
export function attemptText({ totalMs, tokens, cost }: CheckAttempt): string {
  const parts = [
    totalMs === undefined ? '' : durationText(totalMs / 1000),
    tokens === undefined ? '' : tokensText(tokens),
    cost === undefined ? '' : amountText(cost),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/**
 * The Testing view's message for each run that didn't pass, with the reply, and a diff if an exact text was expected.
 */
export function failureMessages(
  { checks, loaded }: CheckLeaf,
  { attempts }: CheckCell,
  replies: ReadonlyMap<string, string>,
): vscode.TestMessage[] {
  const { expectations, from } = loaded.check;
  return attempts.flatMap((attempt, index): readonly vscode.TestMessage[] => {
    if (attempt.state === 'passed') return [];
    const [fault] = attempt.faults;
    const expectation = fault?.expectation === undefined ? undefined : expectations[fault.expectation];
    const line = checks.lineOf(expectation?.from ?? from);
    const location = new vscode.Location(checks.uri, new vscode.Position(line, 0));
    const text = attempt.attempt === '' ? undefined : replies.get(attempt.attempt);
    const exact = expectation?.kind === 'equals' && !expectation.isInverse ? exactText(expectation.value) : undefined;
    const messages = [new vscode.TestMessage(factsOf(attempt, index, attempts.length))];
    if (text !== undefined && exact !== undefined && expectation !== undefined) {
      messages.push(vscode.TestMessage.diff(expectationText(expectation), exact, text));
    }
    if (text !== undefined) messages.push(new vscode.TestMessage(shownReply(text)));
    for (const message of messages) message.location = location;
    return messages;
  });
}

function factsOf(attempt: CheckAttempt, index: number, count: number): vscode.MarkdownString {
  // The only command that its links can run. A model's text in it is plain text.
  const facts = new vscode.MarkdownString();
  facts.isTrusted = { enabledCommands: [openCheckRequestCommand] };
  const run = vscode.l10n.t('Run {0} of {1}', index + 1, count);
  const words = [run, attemptText(attempt)].filter((part) => part !== '').join(' · ');
  const given = encodeURIComponent(JSON.stringify([attempt.attempt]));
  const link =
    attempt.attempt === '' ? '' : ` · [${vscode.l10n.t('Show Request')}](command:${openCheckRequestCommand}?${given})`;
  // The editor shows the first line next to the expectation.
  for (const { reason } of attempt.faults) facts.appendMarkdown(`${markdownText(reason, 1000)}\n\n`);
  facts.appendMarkdown(markdownText(words) + link);
  return facts;
}

/** The reply as Markdown, without images, because their URLs could leak the reply to a server. */
function shownReply(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(text.replaceAll('![', '!\\['));
}

function exactText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
