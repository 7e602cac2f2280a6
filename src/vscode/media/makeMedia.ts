import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { notStartedProblem } from '../../core/problems/mediaProblems.ts';
import { systemCode } from '../../core/problems/systemCode.ts';
import type { MediaInput, MediaParameters } from '../../shared/media.ts';
import { problemLine } from '../../shared/problem.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { MediaGallery } from './mediaGallery.ts';
import { problemOfRun } from './mediaItemView.ts';

/** What the gallery does for who asks it from outside of its pages. */
export interface MediaMaker {
  /**
   * Makes one as the forms do: written down before it is sent, and kept. A cancel stops the run.
   *
   * @returns the files, one for each that the service made.
   * @throws {ApiError} where nothing is set up, the signal's reason on a cancel, else an Error in words.
   */
  make(parameters: MediaParameters, signal: AbortSignal): Promise<readonly MadeFile[]>;
  /** Keeps a picture that a video is to start from. */
  keepPicture(picture: InputPicture): Promise<MediaInput>;
}

export interface InputPicture {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A result of a run. */
export interface MadeFile {
  /** Where it is kept. Undefined where it could not be brought here. */
  readonly uri?: vscode.Uri;
  readonly mediaType?: string;
  /** The service's address of it, to the letter: it may be signed, and may expire. */
  readonly url?: string;
  /** Why there is no file, in words. */
  readonly problem?: string;
}

export interface MakeMediaDeps {
  readonly gallery: MediaGallery;
  readonly explainer: Explainer;
  /** @throws {ApiError} where the service is not set up. */
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
  // It may have come while the run was being written down.
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
    ...(failure !== undefined && { problem: problemLine(explainer.problem(failure, { during: 'command' })) }),
  }));
}
