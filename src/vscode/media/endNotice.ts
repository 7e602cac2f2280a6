import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import type { MediaRun } from '../../core/media/mediaLibrary.ts';
import { unknownNotice } from '../../core/problems/mediaProblems.ts';
import type { ProblemContext } from '../../core/problems/problemDraft.ts';
import { inline } from '../../words/inline.ts';
import type { MediaState } from '../../shared/media.ts';
import { kindWords } from '../../words/mediaWords.ts';
import type { Notifier } from '../platform/notify.ts';
import { modelLabel } from '../../words/modelLabel.ts';

/**
 * Notifies a user who looks elsewhere that a long run has ended.
 * @param contextOf has the host of the model's service, because nothing that runs on this computer is charged.
 */
export function endNotice(
  { parameters, outputs }: MediaRun,
  state: MediaState,
  contextOf: (model: ModelRef) => Pick<ProblemContext, 'host'>,
  notifier: Pick<Notifier, 'info' | 'warning'>,
  show: () => Promise<void>,
): void {
  const what = inline(parameters.prompt ?? modelLabel(parameters.model), 60);
  const { madeOf, unsavedOf, failedOf } = kindWords(parameters.kind, what);
  const buttons = [{ label: vscode.l10n.t('Show'), run: show }];
  switch (state) {
    case 'done':
      if (outputs.every(({ file }) => file !== undefined)) notifier.info(madeOf, buttons);
      // The user who stopped the download knows.
      else if (outputs.some(({ failure }) => failure !== undefined)) notifier.warning(unsavedOf, buttons);
      return;
    case 'failed':
      notifier.warning(failedOf, buttons);
      return;
    case 'unknown':
      notifier.warning(unknownNotice(what, contextOf(parameters.model)), buttons);
      return;
    // The user who stopped it knows.
    case 'stopped':
    case 'running':
    case 'elsewhere':
  }
}
