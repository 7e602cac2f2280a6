import type { ModelRef } from '../../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { hiddenCharacters } from '../../../core/safety/hiddenCharacters.ts';
import { hiddenNames } from '../../platform/confirmHidden.ts';
import type { GivenValues } from './promptValues.ts';
import { plainWindow } from '../../platform/plainWindow.ts';
import { estimatedTokens, tokenLimitText, tokensText } from '../../../words/tokens.ts';
import { modelLabel } from '../../../words/modelLabel.ts';
import { numberText } from '../../../words/numberText.ts';
import { cutEnd } from '../../../words/inline.ts';

export interface SizeLimits {
  /** Above this many estimated tokens, the user is asked; null for never. */
  readonly confirmAboveTokens: number | null;
  /** The model's context window, in tokens; undefined if unknown. */
  readonly contextWindow: number | undefined;
  /** Problems with their lines of code; empty if none are sent. */
  readonly diagnostics: string;
  /** What is sent without the user having selected each piece, one line each. */
  readonly shown: readonly string[];
}

/**
 * Asks before sending a very large prompt, one that doesn't fit the model, or several requests.
 *
 * @param model undefined if several models reply, or one that isn't known yet
 */
export async function mayAsk(
  texts: readonly string[],
  model: ModelRef | undefined,
  { confirmAboveTokens, contextWindow = Infinity, diagnostics, shown }: SizeLimits,
): Promise<boolean> {
  const sizes = texts.map((text) => estimatedTokens(text.length));
  const tokens = sizes.reduce((sum, size) => sum + size, 0);
  const isLarge = confirmAboveTokens !== null && tokens > confirmAboveTokens;
  const most = Math.max(...sizes);
  const isTooMuch = most > contextWindow;
  if (!isLarge && !isTooMuch && texts.length === 1) return true;
  const count = tokensText(tokens, true);
  const question = questionOf(texts.length, count, model);
  const details = [
    isTooMuch
      ? vscode.l10n.t(
          "That's more than this model's context window of {0}, so the service might reject or truncate it.",
          tokenLimitText(contextWindow),
        )
      : '',
    texts.length > 1 ? vscode.l10n.t('Each selection is sent as a separate request.') : '',
    isLarge ? vscode.l10n.t('To change this limit, use the setting parlance.prompts.confirmAboveTokens.') : '',
  ];
  const send = vscode.l10n.t('Send');
  const words = details.filter((sentence) => sentence !== '').join(' ');
  const besides = [...shown, ...problemsShown(diagnostics)];
  const detail = [words, besides.join('\n')].filter((part) => part !== '').join('\n\n');
  return (await plainWindow.ask(question, { detail }, send)) === send;
}

/** Several requests are for one model. */
function questionOf(requests: number, tokens: string, model: ModelRef | undefined): string {
  if (model === undefined) return vscode.l10n.t('Send {0}?', tokens);
  const label = modelLabel(model);
  return requests === 1
    ? vscode.l10n.t('Send {0} to {1}?', tokens, label)
    : vscode.l10n.t('Send {0} requests, {1} in all, to {2}?', numberText(requests), tokens, label);
}

/** What a prompt sends besides its own text and the selection. */
interface SentBesides extends Pick<GivenValues, 'clipboard' | 'contexts'> {
  /** Whole paths, which contain the names of the user's folders. */
  readonly paths: readonly string[];
  /** Problems with their lines of code; empty if none are sent. */
  readonly diagnostics: string;
  /** The surroundings, one line each. */
  readonly shown: readonly string[];
}

function problemsShown(diagnostics: string): readonly string[] {
  return diagnostics === '' ? [] : [vscode.l10n.t('Problems: {0}', cutEnd(diagnostics, 200))];
}

/** A prompt from the folder needs more than the selection. The question shows what, including the clipboard's text. */
export async function mayGoWith(
  title: string,
  { clipboard, contexts, paths, diagnostics, shown }: SentBesides,
): Promise<boolean> {
  const lines = [...contexts.values()].map(({ name, detail }) => (detail === name ? name : `${name} · ${detail}`));
  lines.push(...shown);
  lines.push(...paths.map((path) => vscode.l10n.t('Path on this computer: {0}', path)));
  lines.push(...problemsShown(diagnostics));
  if (clipboard !== '') lines.push(vscode.l10n.t('Clipboard: {0}', cutEnd(clipboard, 200)));
  if (lines.length === 0) return true;
  const send = vscode.l10n.t('Send All');
  const answer = await plainWindow.ask(
    vscode.l10n.t('The workspace prompt "{0}" sends more than your selection', title),
    { detail: lines.join('\n') },
    send,
  );
  return answer === send;
}

/** A prompt from the folder might tell the model something that a user who read it didn't see. */
export async function maySendHidden(title: string, text: string): Promise<boolean> {
  const found = hiddenCharacters(text);
  if (found.length === 0) return true;
  const send = vscode.l10n.t('Send Anyway');
  const answer = await plainWindow.ask(
    vscode.l10n.t('The workspace prompt "{0}" contains invisible characters', title),
    {
      detail: vscode.l10n.t(
        "You can't see them, but the model can. Found {0}; the first is on line {1}: {2}.",
        found.length,
        found[0]?.line ?? 1,
        hiddenNames(found),
      ),
    },
    send,
  );
  return answer === send;
}
