import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { notStartedProblem } from '../../core/problems/mediaProblems.ts';
import { systemCode } from '../../core/problems/systemCode.ts';
import type { MediaInput, MediaParameters } from '../../shared/media.ts';
import { problemLine } from '../../shared/problem.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { MediaGallery } from './mediaGallery.ts';
import { problemOfRun } from './mediaItemView.ts';

/** What the gallery does for callers other than its pages. */
export interface MediaMaker {
  /**
   * Generates like the forms do: recorded before it's sent, and stored. A cancel stops the run.
   * @returns the files, one for each result.
   * @throws {ApiError} if nothing is set up, the signal's reason on a cancel, otherwise an Error with a readable
   * message.
   */
  make(parameters: MediaParameters, signal: AbortSignal): Promise<readonly MadeFile[]>;
  /** Stores an image that a video starts from. */
  keepPicture(picture: InputPicture): Promise<MediaInput>;
}

export interface InputPicture {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A result of a run. */
export interface MadeFile {
  /** Path of the file. Undefined if it couldn't be downloaded. */
  readonly uri?: vscode.Uri;
  readonly mediaType?: string;
  /** The service's exact URL of it, which might be signed and might expire. */
  readonly url?: string;
  /** Why there's no file, in words. */
  readonly problem?: string;
}

export interface MakeMediaDeps {
  readonly gallery: MediaGallery;
  readonly explainer: Explainer;
  /** @throws {ApiError} if the service isn't set up. */
  readonly checkSetup: (model: ModelRef) => Promise<unknown>;
  readonly onUnexpected: (error: unknown) => void;
}

export async function makeMedia(
  parameters: MediaParameters,
  { gallery, explainer, checkSetup, onUnexpected }: MakeMediaDeps,
  signal: AbortSignal,
): Promise<readonly MadeFile[]> {
  await checkSetup(parameters.model);
  signal.throwIfAborted();
  let started;
  try {
    started = await gallery.start(parameters);
  } catch (error) {
    onUnexpected(error);
    throw new Error(problemLine(notStartedProblem(systemCode(error))), { cause: error });
  }
  const { id, over } = started;
  const stop = () => gallery.stop(id);
  signal.addEventListener('abort', stop);
  // It might have been canceled while the run was being recorded.
  if (signal.aborted) stop();
  await over.finally(() => signal.removeEventListener('abort', stop));
  signal.throwIfAborted();
  const run = gallery.get(id);
  if (run === undefined) return [];
  const problem = problemOfRun(run, gallery.stateOf(run), explainer);
  if (problem !== undefined) throw new Error(problemLine(problem));
  return run.outputs.map(({ url, file, mediaType, failure }) => ({
    ...(file !== undefined && { uri: vscode.Uri.file(gallery.folder.path(file)) }),
    ...(mediaType !== undefined && { mediaType }),
    ...(url !== undefined && { url }),
    ...(failure !== undefined && {
      problem: problemLine(explainer.problem(failure, { during: 'command', model: run.parameters.model })),
    }),
  }));
}
