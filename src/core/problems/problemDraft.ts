import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import { bareHost, isThisMachine } from '../../api/transport/proxyRoute.ts';
import type { LargerModel } from '../../shared/conversationLength.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';
import { inline } from '../../words/inline.ts';

/** What a user can do about a conversation that is too long for its model. */
export interface WaysOut {
  /** Models with more room. */
  readonly larger: readonly LargerModel[];
  readonly canSummarize: boolean;
  /** Whether there's an earlier question that is still sent. */
  readonly canLeaveOut: boolean;
  /** Whether some are excluded: retrying might be all that's left to do. */
  readonly hasLeftOut: boolean;
}

/** What a problem's text depends on besides the failure. */
export interface ProblemContext {
  /** The service's web pages, as far as the user configured them. */
  readonly pages: { readonly keys?: string; readonly credits?: string; readonly inferenceLog?: string };
  /** True if part of the reply had arrived. */
  readonly hasPartialText: boolean;
  /** Unix time in milliseconds. */
  readonly now: number;
  /**
   * The kind of operation; `chat` by default. `command` is any other command, with nothing to retry. The same goes for
   * `media`, where a run's card has its own button for that.
   */
  readonly during?: 'chat' | 'media' | 'connectionTest' | 'catalog' | 'command';
  /** The requested model. */
  readonly model?: ModelRef;
  /** Host of the configured base URL. */
  readonly host?: string;
  /** The origin of the key that was sent. */
  readonly keySource?: 'stored' | 'environment';
  /** Similar IDs in the model list, if this one isn't in it, closest first. */
  readonly closestModels?: (model: ModelRef) => readonly string[];
  /** Only in a chat whose conversation was too long. */
  readonly waysOut?: WaysOut;
  /** A file was uploaded as a form, for a transcription. */
  readonly isUpload?: boolean;
  /** Number of requests that were sent before giving up. */
  readonly attempts?: number;
}

/** A problem before its labels: sentences in order, and desired actions, best first. */
export interface ProblemDraft {
  readonly severity?: 'error' | 'warning';
  readonly title: string;
  readonly detail: readonly (string | undefined)[];
  readonly actions: readonly ProblemActionKind[];
  readonly technical?: string;
  readonly requestId?: string;
  readonly retryAt?: number;
}

export function quoted(message: string): string | undefined {
  const text = inline(message);
  return text === '' ? undefined : l10n.t('The service returned: "{0}"', text);
}

/** What happened to the user's work. Only a chat has something to keep. */
export function kept(context: ProblemContext): string | undefined {
  if ((context.during ?? 'chat') !== 'chat') {
    return undefined;
  }
  return context.hasPartialText ? l10n.t('The text so far was kept.') : l10n.t('Your message was kept.');
}

export function tried(context: ProblemContext): string | undefined {
  return context.attempts !== undefined && context.attempts > 1
    ? l10n.t('Parlance tried {0} times.', context.attempts)
    : undefined;
}

/** Shown if the service might have done the work although no reply arrived. A server on this computer never charges. */
export function mayBeCharged(context: Pick<ProblemContext, 'pages' | 'host' | 'during'>): string | undefined {
  // A model list is free everywhere.
  if (context.during === 'catalog' || isFree(context)) return undefined;
  return context.pages.inferenceLog === undefined
    ? l10n.t('You might have been charged.')
    : l10n.t("You might have been charged. Check the service's inference log.");
}

/** Nothing that runs on this computer costs money. @param host of the configured base URL, with its port. */
export function isFree({ host }: Pick<ProblemContext, 'host'>): boolean {
  return host !== undefined && runsHere(host);
}

/** @param host with its port */
export function runsHere(host: string): boolean {
  const url = URL.parse(`http://${host}`);
  return url !== null && isThisMachine(bareHost(url));
}
