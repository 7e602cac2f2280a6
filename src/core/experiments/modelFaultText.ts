import * as l10n from '@vscode/l10n';
import { inline } from '../../words/inline.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { tokenLimitText, tokensText } from '../../words/tokens.ts';
import type { ModelFault } from './experimentForecast.ts';

/** In a sentence. */
export function modelFaultText(fault: ModelFault): string {
  const name = inline(modelLabel(fault.model), 80);
  switch (fault.kind) {
    case 'cannotChat':
      return l10n.t("{0} doesn't support chat.", name);
    case 'overContextWindow':
      return l10n.t(
        'The prompt has {0}, more than the context window of {1} ({2}).',
        tokensText(fault.promptTokens, true),
        name,
        tokenLimitText(fault.contextWindow),
      );
    case 'noPrice':
      return l10n.t("{0} has no price in the model list, so its cost can't be limited.", name);
  }
}
