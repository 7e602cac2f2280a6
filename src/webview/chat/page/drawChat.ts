import * as l10n from '@vscode/l10n';
import type { Problem } from '../../../shared/problem.ts';
import type { Composer } from '../composer/composer.ts';
import type { LateFind } from '../find/lateFind.ts';
import type { ContinuedBar } from '../length/continuedBar.ts';
import { notSentWords } from '../length/lengthWords.ts';
import type { LatePicker } from '../models/latePicker.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { ChatFoot } from './chatFoot.ts';
import { type ChatState, isBeingWritten, modelOf, runningReply } from './chatState.ts';
import type { EmptyState } from './emptyState.ts';
import type { HostWatch } from './hostWatch.ts';

/** The parts of the page that show its state. */
export interface DrawnParts {
  readonly scroller: HTMLElement;
  /** Undefined as long as there are no messages. */
  readonly transcript: () => Transcript | undefined;
  readonly empty: EmptyState;
  readonly continued: ContinuedBar;
  readonly foot: ChatFoot;
  readonly composer: Composer;
  readonly picker: LatePicker;
  readonly find: LateFind;
  readonly watch: HostWatch;
  readonly say: (text: string) => void;
}

/** Draws what has changed. Lists and records are replaced when they change, never mutated. */
export function drawChat(parts: DrawnParts, state: ChatState, before: ChatState): void {
  if (state.title !== before.title) document.title = state.title;
  drawNews(parts, state, before);
  drawNextMessage(parts, state, before);
  drawConversation(parts, state, before);
}

/** What is said above the composer. */
function drawNews({ foot, say }: DrawnParts, state: ChatState, before: ChatState): void {
  const lack = lackIn(state);
  if (JSON.stringify(lack) !== JSON.stringify(lackIn(before))) foot.lack.show(lack);
  if (state.refusal !== before.refusal) foot.refusal.show(state.refusal);
  if (state.unsaved !== before.unsaved) foot.unsaved.show(state.unsaved);
  if (state.notes !== before.notes) {
    const added = foot.notes.show(state.notes);
    if (added !== '') say(added);
  }
}

function drawNextMessage({ composer, foot }: DrawnParts, state: ChatState, before: ChatState): void {
  if (state.options !== before.options || state.defaults !== before.defaults) {
    composer.showModel(modelOf(state));
    composer.showOptions(state.options, state.defaults, state.conversationId !== before.conversationId);
  }
  if (state.summary !== before.summary) {
    foot.long.summarize(state.summary);
    composer.attachments.drawNote();
  }
  const model = modelOf(state);
  if (state.attachments !== before.attachments || model !== modelOf(before))
    composer.attachments.show(state.conversationId, state.attachments, model);
}

function drawConversation(parts: DrawnParts, state: ChatState, before: ChatState): void {
  const { transcript, continued, empty, find, picker, scroller, say } = parts;
  const isSame = state.conversationId === before.conversationId;
  const { sentFrom, leftOut = 0 } = state.attachments.length ?? {};
  transcript()?.setSentFrom(sentFrom);
  if (leftOut !== (before.attachments.length?.leftOut ?? 0) && isSame)
    say(leftOut === 0 ? l10n.t('All messages are sent') : notSentWords(leftOut));
  if (state.continues !== before.continues) continued.show(state.continues);
  if (state.connection !== before.connection || state.suggestions !== before.suggestions)
    empty.show(state.connection, state.suggestions);
  if (!isSame) {
    find.close();
    picker.leave();
  }
  if (state.messages === before.messages) return;
  find.changed();
  const isRunning = runningReply(state) !== undefined;
  if (isRunning !== (runningReply(before) !== undefined)) setRunning(parts, isRunning);
  const isWritten = isBeingWritten(state);
  if (isWritten !== isBeingWritten(before)) transcript()?.setRunning(isWritten);
  empty.element.hidden = state.messages.length > 0;
  scroller.classList.toggle('unused', state.messages.length === 0);
}

function setRunning({ watch, composer }: DrawnParts, isRunning: boolean): void {
  watch.watch(isRunning);
  composer.setRunning(isRunning);
}

/** What the service can't do. An empty chat says it in the place of its invitation. */
function lackIn({ connection, messages }: ChatState): Problem | undefined {
  return messages.length > 0 ? connection.lack : undefined;
}
