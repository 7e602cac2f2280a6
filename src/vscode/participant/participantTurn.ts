import * as vscode from 'vscode';
import type { ContentPart, MultimodalMessage } from '../../api/mediaTypes.ts';
import { isCodeCommand, participantPrompt } from './participantPrompt.ts';
import { isImplicit, readReference, selectedCode, type Reference } from './readReference.ts';

/** What a turn leaves for those after it. VS Code keeps it with the conversation. */
export interface TurnResult extends vscode.ChatResult {
  readonly metadata?: {
    readonly command?: string;
    /** The words that were sent, where code was among them: the file may be another by the next turn. */
    readonly said?: string;
  };
}

export interface Turn {
  readonly messages: readonly MultimodalMessage[];
  /** The code that this turn is about. */
  readonly about: readonly vscode.Location[];
  /** Names of what was attached and cannot be sent. */
  readonly unreadable: readonly string[];
  readonly said?: string;
  /** A command about code, and there is none, here or before. */
  readonly lacksCode: boolean;
}

/** The words of a follow-up that is about the code of the turn before, whatever is in front or selected by now. */
export function aboutCodeAbove(): string {
  return vscode.l10n.t('It is about the code above.');
}

/** The messages of this turn and of those before it, and what they are about. */
export async function turnMessages(
  { command, prompt, references }: Pick<vscode.ChatRequest, 'command' | 'prompt' | 'references'>,
  { history }: vscode.ChatContext,
): Promise<Turn> {
  const isAboutAbove = prompt === aboutCodeAbove();
  const given = await readAll(references.filter((each) => !isAboutAbove || !isImplicit(each)));
  const pictures = picturesIn(given);
  const attached = given.flatMap((each) => (each.kind === 'code' ? [each.code] : []));
  const isAboutCode = isCodeCommand(command ?? '');
  // A command about code, and none was attached: what is selected is meant.
  const takesSelected = isAboutCode && !isAboutAbove && attached.length === 0 && pictures.length === 0;
  const code = takesSelected ? selectedCode() : attached;
  const words = participantPrompt(command, prompt, code);
  const isAlone = code.length === 0 && pictures.length === 0 && prompt.trim() === '';
  return {
    messages: [...(await earlierMessages(history)), message(words, pictures)],
    about: code.flatMap(({ location }) => (location === undefined ? [] : [location])),
    unreadable: given.flatMap((each) => (each.kind === 'unreadable' ? [each.name] : [])),
    lacksCode: isAboutCode && isAlone && history.every((turn) => saidIn(turn) === undefined),
    ...(code.length > 0 && { said: words }),
  };
}

type PastTurn = vscode.ChatContext['history'][number];

async function earlierMessages(history: readonly PastTurn[]): Promise<readonly MultimodalMessage[]> {
  const turns = await Promise.all(history.map((turn, index) => earlier(turn, history[index + 1])));
  return turns.flat();
}

async function earlier(turn: PastTurn, next: PastTurn | undefined): Promise<readonly MultimodalMessage[]> {
  if (turn instanceof vscode.ChatRequestTurn) {
    // What VS Code attached by itself is in what was said.
    const given = await readAll(turn.references.filter((each) => !isImplicit(each)));
    return [message(saidIn(next) ?? participantPrompt(turn.command, turn.prompt, []), picturesIn(given))];
  }
  const text = turn.response
    .map((each) => (each instanceof vscode.ChatResponseMarkdownPart ? each.value.value : ''))
    .join('');
  return text === '' ? [] : [{ role: 'assistant', content: text }];
}

function saidIn(turn: PastTurn | undefined): string | undefined {
  if (!(turn instanceof vscode.ChatResponseTurn)) return undefined;
  const said: unknown = turn.result.metadata?.['said'];
  return typeof said === 'string' ? said : undefined;
}

async function readAll(references: readonly vscode.ChatPromptReference[]): Promise<readonly Reference[]> {
  return (await Promise.all(references.map(readReference))).filter((each) => each !== undefined);
}

function picturesIn(references: readonly Reference[]): readonly ContentPart[] {
  return references.flatMap((each) => (each.kind === 'picture' ? [each.picture] : []));
}

function message(words: string, pictures: readonly ContentPart[]): MultimodalMessage {
  if (pictures.length === 0) return { role: 'user', content: words };
  const text: readonly ContentPart[] = words === '' ? [] : [{ type: 'text', text: words }];
  return { role: 'user', content: [...text, ...pictures] };
}
