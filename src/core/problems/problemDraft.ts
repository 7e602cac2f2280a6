import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import { isLoopbackHost } from '../../api/download/downloadAddress.ts';
import { bareHost } from '../../api/transport/proxyRoute.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';
import { inline } from '../../words/inline.ts';

/** What a problem's words depend on besides the failure. */
export interface ProblemContext {
  /** The service's web pages, where the user named them. */
  readonly pages: { readonly keys?: string; readonly credits?: string; readonly inferenceLog?: string };
  /** True when some of the reply had arrived. */
  readonly hasPartialText: boolean;
  /** Unix time in milliseconds. */
  readonly now: number;
  /**
   * What was going on; `chat` unless given. `command` is any other command: there is nothing to retry, nor in
   * `media`, where a run's card has its own way to run it again.
   */
  readonly during?: 'chat' | 'media' | 'connectionTest' | 'catalog' | 'command';
  /** The model that was asked. */
  readonly model?: ModelRef;
  /** Host of the configured base address. */
  readonly host?: string;
  /** Where the key that was sent came from. */
  readonly keySource?: 'stored' | 'environment';
  /** Ids of the catalog that look like one it lacks, the closest first. */
  readonly closestModels?: (model: ModelRef) => readonly string[];
  /** A file was uploaded as a form, as transcriptions do. */
  readonly isUpload?: boolean;
  /** Requests that were made before giving up. */
  readonly attempts?: number;
}

/** A problem before its labels: sentences in order, wishes for actions best first. */
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

/** What became of the person's work. Only a chat has something to keep. */
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

/** Told where the service might have done the work although no reply came; a server on this computer charges nobody. */
export function mayBeCharged(context: Pick<ProblemContext, 'pages' | 'host' | 'during'>): string | undefined {
  // A model list costs nothing anywhere.
  if (context.during === 'catalog' || isFree(context)) return undefined;
  return context.pages.inferenceLog === undefined
    ? l10n.t('You might have been charged.')
    : l10n.t("You might have been charged. Check the service's inference log.");
}

/** Nobody charges for what runs on this computer. @param host of the configured base URL, with its port. */
export function isFree({ host }: Pick<ProblemContext, 'host'>): boolean {
  const url = host === undefined ? null : URL.parse(`http://${host}`);
  return url !== null && isLoopbackHost(bareHost(url));
}
