import * as vscode from 'vscode';
import { rejectedField } from '../../core/media/rejectedField.ts';
import type { MediaRun } from '../../core/media/mediaLibrary.ts';
import { isDraftOf } from '../../core/media/mediaLibrary.ts';
import { mediaDetails, mediaFacts } from '../../core/media/mediaFacts.ts';
import { cardProblem, stoppedProblem, unknownProblem } from '../../core/problems/mediaProblems.ts';
import type { MediaState } from '../../shared/media.ts';
import { fieldWords } from '../../words/mediaWords.ts';
import type { MediaItemView, OutputView, RejectedField } from '../../shared/protocol/mediaProtocol.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { MediaGallery } from './mediaGallery.ts';

/** A run as a page draws it. @param addressOf returns the URL under which this page can load a file. */
export function mediaItemView(
  run: MediaRun,
  gallery: MediaGallery,
  explainer: Explainer,
  addressOf: (file: string) => string,
): MediaItemView {
  const { id, parameters, startedAt, endedAt } = run;
  const state = gallery.stateOf(run);
  const usualSeconds = state === 'running' || state === 'elsewhere' ? gallery.usualSeconds(parameters) : undefined;
  const waitingUntil = gallery.waitingUntil(id);
  const rejected = state === 'failed' ? rejectedField(run.failure, parameters) : undefined;
  const problem = problemOfRun(run, state, explainer);
  return {
    id,
    kind: parameters.kind,
    state,
    prompt: parameters.prompt ?? '',
    model: parameters.model,
    facts: mediaFacts(run),
    parameters: mediaDetails(run),
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(usualSeconds !== undefined && { usualSeconds }),
    ...(waitingUntil !== undefined && { waitingUntil }),
    outputs: run.outputs.map((_, index) => outputView(run, index, gallery, explainer, addressOf)),
    ...(problem !== undefined && { problem: rejected === undefined ? problem : withChange(problem, rejected) }),
    ...(rejected !== undefined && { rejected }),
    isDraft: isDraftOf(parameters),
  };
}

/** The most helpful action comes first. */
function withChange(problem: Problem, { field }: RejectedField): Problem {
  if (field === 'model') return problem;
  const label = vscode.l10n.t('Change {0}', fieldWords(field).title);
  return { ...problem, actions: [{ kind: 'changeField', label }, ...problem.actions] };
}

function outputView(
  run: MediaRun,
  index: number,
  gallery: MediaGallery,
  explainer: Explainer,
  addressOf: (file: string) => string,
): OutputView {
  const { url, file, mediaType, sizeBytes, failure } = run.outputs[index] ?? {};
  const hasLink = url !== undefined;
  if (gallery.isLoading(run.id, index)) {
    return { state: 'downloading', hasLink, ...gallery.progressOf(run.id, index) };
  }
  if (file !== undefined && mediaType !== undefined && sizeBytes !== undefined) {
    return { state: 'saved', hasLink, src: addressOf(file), mediaType, sizeBytes };
  }
  if (failure === undefined) return { state: 'waiting', hasLink };
  // Downloading it again is a button of the card itself.
  const problem = { ...explainer.problem(failure, { during: 'command', model: run.parameters.model }), actions: [] };
  return { state: 'failed', hasLink, problem };
}

/** Why a finished run has no result, as far as known. Undefined if it has one, or isn't finished. */
export function problemOfRun(run: MediaRun, state: MediaState, explainer: Explainer): Problem | undefined {
  const { failure, endedAt, parameters } = run;
  const known = {
    during: 'media',
    model: parameters.model,
    wanted: parameters.kind,
    ...(endedAt !== undefined && { at: endedAt }),
  } as const;
  const cause = failure === undefined ? undefined : cardProblem(explainer.problem(failure, known));
  switch (state) {
    case 'unknown':
      return unknownProblem(failure, cause, explainer.context(known));
    case 'stopped':
      return stoppedProblem(run.unsent === true, explainer.context(known));
    case 'failed':
      return cause;
    case 'running':
    case 'elsewhere':
    case 'done':
      return undefined;
  }
}
