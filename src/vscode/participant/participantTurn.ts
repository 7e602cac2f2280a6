import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ContentPart, ChatMessage } from '../../api/operations/chatCompletion.ts';
import { codeAround } from './codeAround.ts';
import { maySend } from '../attachments/secretFile.ts';
import type { SurroundingsDeps } from '../attachments/surroundings/gatherSurroundings.ts';
import { splitUnopenedThoughts } from '../../shared/text/unopenedThoughts.ts';
import type { InputPicture } from '../media/makeMedia.ts';
import { isCodeCommand, participantPrompt, type PromptCode } from './participantPrompt.ts';
import { isImplicit, readReference, readSelection, type Reference } from './readReference.ts';

/** What a turn stores for later ones. VS Code keeps it with the conversation. */
export interface TurnResult extends vscode.ChatResult {
  /** Shown below the reply. Not in the API yet, but it works in the oldest supported VS Code. */
  readonly details?: string;
  readonly metadata?: {
    readonly command?: string;
    /** The code that was sent, because the file might have changed by the next turn. */
    readonly code?: readonly PromptCode[];
  };
}

export interface Turn {
  readonly messages: readonly ChatMessage[];
  /** The code that this turn is about. */
  readonly about: readonly vscode.Location[];
  /** That code, for later turns. */
  readonly code: readonly PromptCode[];
  /** Names of attachments that can't be sent, that might contain secrets, or that are only partly sent. */
  readonly unreadable: readonly string[];
  readonly secret: readonly string[];
  readonly cut: readonly string[];
  /** A command about code without any code, here or before. */
  readonly lacksCode: boolean;
}

/** The text of a follow-up about the previous turn's code, whatever is in front or selected now. */
export function aboutCodeAbove(): string {
  return vscode.l10n.t("It's about the code above.");
}

/** The messages of this turn and of earlier ones, and what they're about. */
export async function turnMessages(
  { command, prompt, references }: Pick<vscode.ChatRequest, 'command' | 'prompt' | 'references'>,
  { history }: vscode.ChatContext,
  includeSurroundingCode: boolean,
  deps: SurroundingsDeps,
): Promise<Turn> {
  const isAboutAbove = prompt === aboutCodeAbove();
  const attached = await readAll(
    references.filter((each) => !isAboutAbove || !isImplicit(each)),
    maySend,
  );
  const isAboutCode = isCodeCommand(command ?? '');
  // A command about code without attached code means the selection.
  const takesSelected =
    isAboutCode && !isAboutAbove && !attached.some(({ kind }) => kind === 'code' || kind === 'picture');
  const given = takesSelected ? [...attached, ...(await readSelection())] : attached;
  const pictures = picturesIn(given);
  const chosen = given.flatMap((each) => (each.kind === 'code' ? [each.code] : []));
  const around = includeSurroundingCode ? await codeAround(chosen, command, deps) : [];
  const code = [...around, ...chosen];
  const before = history.flatMap(codeIn);
  const isAlone = code.length === 0 && pictures.length === 0 && prompt.trim() === '';
  return {
    messages: [
      ...(await earlierMessages(history)),
      message(participantPrompt(command, prompt, code, before), pictures),
    ],
    about: code.flatMap(({ location }) => (location === undefined ? [] : [location])),
    code: code.map(({ location: _location, ...each }) => each),
    unreadable: namesOf(given, 'unreadable'),
    secret: namesOf(given, 'secret'),
    cut: chosen.filter(({ isCut }) => isCut).map(({ name }) => name),
    lacksCode: isAboutCode && isAlone && before.length === 0,
  };
}

type PastTurn = vscode.ChatContext['history'][number];

async function earlierMessages(history: readonly PastTurn[]): Promise<readonly ChatMessage[]> {
  const turns = await Promise.all(
    history.map((turn, index) => earlier(turn, history[index + 1], history.slice(0, index))),
  );
  return turns.flat();
}

async function earlier(
  turn: PastTurn,
  next: PastTurn | undefined,
  before: readonly PastTurn[],
): Promise<readonly ChatMessage[]> {
  if (turn instanceof vscode.ChatRequestTurn) {
    // What VS Code attached on its own is part of the code that was sent. The user isn't asked again, and a refusal
    // still applies.
    const given = await readAll(
      turn.references.filter((each) => !isImplicit(each)),
      () => Promise.resolve(false),
    );
    const words = participantPrompt(turn.command, turn.prompt, codeIn(next), before.flatMap(codeIn));
    return [message(words, picturesIn(given))];
  }
  const text = turn.response
    .map((each) => (each instanceof vscode.ChatResponseMarkdownPart ? each.value.value : ''))
    .join('');
  const said = splitUnopenedThoughts(text).text;
  return said === '' ? [] : [{ role: 'assistant', content: said }];
}

const keptCode = v.array(
  v.object({
    name: v.string(),
    language: v.string(),
    text: v.string(),
    isCut: v.exactOptional(v.boolean()),
    isReference: v.exactOptional(v.boolean()),
  }),
);

function codeIn(turn: PastTurn | undefined): readonly PromptCode[] {
  if (!(turn instanceof vscode.ChatResponseTurn)) return [];
  const kept = v.safeParse(keptCode, turn.result.metadata?.['code']);
  return kept.success ? kept.output : [];
}

/** One after another, because each might ask a question. */
async function readAll(
  references: readonly vscode.ChatPromptReference[],
  mayGo: (uri: vscode.Uri) => Promise<boolean>,
): Promise<readonly Reference[]> {
  const all: Reference[] = [];
  for (const reference of references) {
    const read = await readReference(reference, mayGo);
    if (read !== undefined) all.push(read);
  }
  return all;
}

function namesOf(given: readonly Reference[], kind: 'unreadable' | 'secret'): readonly string[] {
  return [...new Set(given.flatMap((each) => (each.kind === kind ? [each.name] : [])))];
}

function picturesIn(references: readonly Reference[]): readonly ContentPart[] {
  return references.flatMap((each) => (each.kind === 'picture' ? [asPart(each.picture)] : []));
}

function asPart({ mediaType, bytes }: InputPicture): ContentPart {
  const url = `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
  return { type: 'image_url', image_url: { url } };
}

function message(words: string, pictures: readonly ContentPart[]): ChatMessage {
  if (pictures.length === 0) return { role: 'user', content: words };
  const text: readonly ContentPart[] = words === '' ? [] : [{ type: 'text', text: words }];
  return { role: 'user', content: [...text, ...pictures] };
}
