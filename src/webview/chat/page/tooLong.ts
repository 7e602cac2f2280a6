import * as l10n from '@vscode/l10n';
import { maxTextLength } from '../../../shared/messageLimits.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { FigureFormat } from '../../kit/figureFormat.ts';

/** Why a text cannot cross to the host; undefined when it can. */
export function tooLong(text: string, figures: FigureFormat): Problem | undefined {
  if (text.length <= maxTextLength) return undefined;
  const [length, most] = [figures.count(text.length), figures.count(maxTextLength)];
  return {
    severity: 'warning',
    title: l10n.t('This text is too long'),
    detail: l10n.t('It has {0} characters; the limit is {1}. Your text was kept.', length, most),
    actions: [],
    technical: '',
  };
}
