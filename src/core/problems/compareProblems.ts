import * as l10n from '@vscode/l10n';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import { inline } from '../../words/inline.ts';
import { warning } from '../../words/warning.ts';
import { modelFaultText } from '../experiments/modelFaultText.ts';
import type { ExperimentFault } from '../experiments/experimentForecast.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { mayBeCharged, type ProblemContext } from './problemDraft.ts';

/** Nobody knows how a reply ended if its window was closed first. */
export function problemOfInterruptedReply(context: ProblemContext): Problem {
  const detail = [l10n.t('The window closed before the response arrived.'), mayBeCharged(context)];
  return {
    ...warning(l10n.t('Interrupted'), detail.filter((sentence) => sentence !== undefined).join(' ')),
    actions: [{ kind: 'retry', label: l10n.t('Retry') }],
  };
}

const ofConversation: ReadonlySet<ProblemActionKind> = new Set(['continue', 'newChat', 'openParameters']);

/** Without the buttons for a conversation in the chat, which a column isn't. */
export function problemInColumn(problem: Problem): Problem {
  return { ...problem, actions: problem.actions.filter(({ kind }) => !ofConversation.has(kind)) };
}

/**
 * Why nothing was sent to the compared models.
 * @param kept says so, and what became of the message
 */
export function problemOfComparison(
  fault: ExperimentFault,
  kept = l10n.t('Nothing was sent, and your text was kept.'),
): Problem {
  const because = (title: string, detail: string) => warning(title, `${detail} ${kept}`);
  const ofModel = (title: string, detail: string, label = l10n.t('Select Another Model…')): Problem => ({
    ...because(title, detail),
    actions: [{ kind: 'selectModel', label }],
  });
  switch (fault.kind) {
    case 'noModel':
    case 'noConcurrency':
      return ofModel(l10n.t('No model selected'), l10n.t('Add a model to compare.'), l10n.t('Add Model…'));
    case 'noPrompt':
    case 'noMessage':
      return because(l10n.t('The message is empty'), l10n.t('Type a message.'));
    case 'sameModelTwice':
      return ofModel(
        l10n.t('The same model twice'),
        l10n.t(
          '{0} has two columns with the same parameters. Select another model.',
          inline(modelLabel(fault.model), 80),
        ),
      );
    case 'cannotChat':
      return ofModel(
        l10n.t("This model can't chat"),
        [modelFaultText(fault), l10n.t('Select another model.')].join(' '),
      );
    case 'overContextWindow':
      return ofModel(
        l10n.t('The message is too long'),
        [modelFaultText(fault), l10n.t('Remove something, or select another model.')].join(' '),
      );
    case 'noPrice':
      return because(l10n.t('No price known'), modelFaultText(fault));
  }
}
