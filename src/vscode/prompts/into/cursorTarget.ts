import * as vscode from 'vscode';
import { pathOf } from '../../attachments/sources/documentContext.ts';
import { answerCode, answerInProse, leftOutWords } from '../../../core/prompts/answerCode.ts';
import { leadingSpace, reindent } from '../../../core/prompts/indentation.ts';
import {
  problemOfDisturbedText,
  problemOfEmptyReply,
  problemOfReadOnly,
  problemOfRefusedEdit,
} from '../../../core/problems/promptProblems.ts';
import { confirmHidden } from '../../platform/confirmHidden.ts';
import { confirmCommandLinks } from '../../platform/documents/confirmInsert.ts';
import { indentStyleOf, isProse } from './documentStyle.ts';
import type { PromptSource } from '../run/promptSource.ts';
import type { ReplyTarget, ReplyTargetDeps } from './replyTarget.ts';
import { type FlowEnd, type FlowStep, TextFlow, type TextFlowOptions } from './textFlow.ts';

// "Here is the code you asked for:" and similar, which nobody misses.
const fewWords = 120;

/**
 * Writes the reply into the document: below the selection, or at the cursor without one. With several cursors, it
 * streams in at the first, and is copied to the others once it's complete.
 */
export function cursorTarget(source: PromptSource, deps: ReplyTargetDeps & { readonly step: FlowStep }): ReplyTarget {
  const { document, editor } = source;
  const style = indentStyleOf(editor);
  const prose = isProse(document);
  let soFar = '';
  /** The reply ended before its end, so it's cut off like one that is being written. */
  let isCut = false;
  let mayBeHidden: Promise<boolean> | undefined;
  /** Targets of links that the user agreed to. */
  const agreed = new Set<string>();
  let beside: Promise<ReplyTarget> | undefined;
  const writeBeside = () => void beside?.then((target) => target.write(soFar)).catch(deps.stop);
  const flowTo = (place: Place, onBroken: TextFlowOptions['onBroken']) =>
    new TextFlow({
      document,
      at: place.at,
      shape: (answer, isComplete) => {
        const text = prose
          ? answerInProse(answer, isComplete && !isCut)
          : answerCode(answer, { isComplete, dropWords: true, joinBlocks: true }).text;
        if (text === '') return '';
        const placed = reindent(text, place.indent, style, 'first');
        // The cursor's line is already indented.
        return place.lead === '' ? placed.slice(place.indent.length) : place.lead + placed;
      },
      // The same text at every position.
      confirm: (text) => (mayBeHidden ??= confirmHidden(text)),
      confirmLinks: async (targets) => {
        const isUsed = await confirmCommandLinks(targets.filter((target) => !agreed.has(target)));
        for (const target of isUsed ? targets : []) agreed.add(target);
        return isUsed;
      },
      step: deps.step,
      onBroken,
    });
  const [first, ...others] = placesOf(source);
  const flow = flowTo(first, (end, hasBegun) => {
    if (end !== 'refused' || hasBegun || document.isClosed) return deps.stop();
    // Some editors only turn out to be read-only when they're edited.
    deps.explain(problemOfReadOnly(pathOf(document.uri)), '');
    beside = deps.beside();
    writeBeside();
  });
  const later = others.map((place) => flowTo(place, () => undefined));
  return {
    write: (text) => {
      soFar = text;
      flow.write(text);
      writeBeside();
    },
    finish: async (end) => {
      isCut = end.outcome !== 'done';
      const results = [await flow.finish(end.text)];
      if (beside !== undefined) return (await beside).finish(end);
      const isWhole = end.outcome === 'done' && results[0] === 'written';
      for (const other of isWhole ? later : []) results.push(await other.finish(end.text));
      const problem = problemOfFlow(results.find((result) => result !== 'written') ?? 'written', document);
      if (problem !== undefined) deps.explain(problem, end.text);
      else if (end.outcome === 'done' && end.text.trim() === '') deps.explain(problemOfEmptyReply(), '');
      else if (!prose && end.outcome === 'done' && results[0] === 'written' && lacksWords(end.text)) {
        deps.leftOut(end.text);
      }
    },
    dispose: () => {
      for (const one of [flow, ...later]) one.dispose();
      // One that couldn't be opened has stopped the run.
      void beside?.then((target) => target.dispose()).catch(() => undefined);
    },
  };
}

/** True if more than about a line is left out of the text that is inserted into a code file. */
function lacksWords(answer: string): boolean {
  const { without } = answerCode(answer, { isComplete: true, dropWords: true, joinBlocks: true });
  return without === 'words' && leftOutWords(answer).length > fewWords;
}

interface Place {
  readonly at: vscode.Position;
  /** Inserted before the reply, so that it starts on its own line. */
  readonly lead: string;
  readonly indent: string;
}

function placesOf({ document, ranges, cursors }: PromptSource): readonly [Place, ...(readonly Place[])] {
  const range = ranges.at(-1);
  if (range === undefined) {
    const [first = new vscode.Position(0, 0), ...others] = cursors;
    return [placeAt(document, first), ...others.map((cursor) => placeAt(document, cursor))];
  }
  // A selection of whole lines ends at the beginning of the next one.
  const last = range.end.character === 0 && !range.isSingleLine ? range.end.line - 1 : range.end.line;
  const at = document.lineAt(last).range.end;
  const indent = leadingSpace(document.lineAt(range.start.line).text);
  return [{ at, lead: isProse(document) ? '\n\n' : '\n', indent }];
}

function placeAt(document: vscode.TextDocument, cursor: vscode.Position): Place {
  const line = document.lineAt(cursor.line).text.slice(0, cursor.character);
  return { at: cursor, lead: '', indent: line.trim() === '' ? line : leadingSpace(line) };
}

function problemOfFlow(end: FlowEnd, document: vscode.TextDocument) {
  switch (end) {
    case 'written':
    case 'declined':
      return undefined;
    case 'disturbed':
      return problemOfDisturbedText();
    case 'refused':
      return problemOfRefusedEdit(pathOf(document.uri));
  }
}
