import * as vscode from 'vscode';
import type { CheckAttempt, CheckCell } from '../../core/checks/checkResult.ts';
import { expectationText } from '../../core/checks/expectationText.ts';
import { markdownText } from '../../core/safety/markdownText.ts';
import { safeMarkdown } from '../../core/safety/safeMarkdown.ts';
import { runFigures } from '../../words/runFigures.ts';
import { openCheckRequestCommand } from './checksNames.ts';
import type { CheckLeaf, ShownCase } from './checkTree.ts';

/**
 * The Testing view's messages about each run that didn't pass: one at each expectation that wasn't met, with a diff if
 * an exact text was expected, and the reply.
 */
export function failureMessages(
  { checks, loaded }: CheckLeaf,
  { attempts }: CheckCell,
  replies: ReadonlyMap<string, string>,
): vscode.TestMessage[] {
  const { expectations, from } = loaded.check;
  return attempts.flatMap((attempt, index): readonly vscode.TestMessage[] => {
    if (attempt.state === 'passed') return [];
    const text = attempt.attempt === '' ? undefined : replies.get(attempt.attempt);
    const facts = factsOf(attempt, index, attempts.length);
    const lines = Map.groupBy(attempt.faults, ({ expectation }) =>
      checks.lineOf((expectation === undefined ? undefined : expectations[expectation])?.from ?? from),
    );
    if (lines.size === 0) lines.set(checks.lineOf(from), []);
    return [...lines].flatMap(([line, faults], place) => {
      const diffs = faults.flatMap(({ expectation: at }): readonly vscode.TestMessage[] => {
        const expectation = at === undefined ? undefined : expectations[at];
        const exact =
          expectation?.kind === 'equals' && !expectation.isInverse ? exactText(expectation.value) : undefined;
        if (text === undefined || exact === undefined || expectation === undefined) return [];
        return [vscode.TestMessage.diff(expectationText(expectation), exact, text)];
      });
      const reply =
        text !== undefined && place === 0
          ? [new vscode.TestMessage(new vscode.MarkdownString(safeMarkdown(text)))]
          : [];
      // The last one is what a click on the check opens.
      const messages = [new vscode.TestMessage(factsWith(faults, facts)), ...reply, ...diffs];
      for (const message of messages) message.location = new vscode.Location(checks.uri, new vscode.Position(line, 0));
      return messages;
    });
  });
}

/** Why a case can't be run, in a sentence; undefined if it can. */
export function whyNotRun({ messages }: ShownCase['loaded'], hasModel: boolean): string | undefined {
  if ('fault' in messages) return messages.fault;
  return hasModel ? undefined : vscode.l10n.t('No model matches.');
}

/** The same in the Testing view, at the line to change. */
export function notRunMessage({ checks, loaded }: ShownCase): vscode.TestMessage {
  const { check, messages } = loaded;
  const message = new vscode.TestMessage(whyNotRun(loaded, false) ?? '');
  const { from } = ('fault' in messages ? messages.at : undefined) ?? check;
  message.location = new vscode.Location(checks.uri, new vscode.Position(checks.lineOf(from), 0));
  return message;
}

/** Time and price of a run, and a link to its request, as Markdown. */
function factsOf(attempt: CheckAttempt, index: number, count: number): string {
  const run = vscode.l10n.t('Run {0} of {1}', index + 1, count);
  const words = [run, ...runFigures(attempt)].join(' · ');
  const given = encodeURIComponent(JSON.stringify([attempt.attempt]));
  const link =
    attempt.attempt === '' ? '' : ` · [${vscode.l10n.t('Show Request')}](command:${openCheckRequestCommand}?${given})`;
  return markdownText(words) + link;
}

function factsWith(faults: CheckAttempt['faults'], facts: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  // The only command that its links can run. A model's text in it is plain text.
  text.isTrusted = { enabledCommands: [openCheckRequestCommand] };
  // The editor shows the first line next to the expectation.
  for (const { reason } of faults) text.appendMarkdown(`${markdownText(reason, 1000)}\n\n`);
  return text.appendMarkdown(facts);
}

function exactText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
