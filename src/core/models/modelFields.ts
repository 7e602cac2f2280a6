import * as l10n from '@vscode/l10n';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { kindText } from './kindText.ts';
import { kindOf } from './modelAbilities.ts';
import { inline } from '../../words/inline.ts';
import { amountText } from '../../words/amount.ts';
import { tokenLimitText } from '../../words/tokens.ts';

/** One known fact about a model. */
export interface ModelField {
  readonly label: string;
  readonly value: string;
}

/** What Parlance understands of a row of the model list, in words. */
export function modelFields(model: ModelInfo): readonly ModelField[] {
  const { contextWindow, maxOutputTokens, inputPricePerMillion: input, outputPricePerMillion: output } = model;
  return [
    ...field(l10n.t('Kind'), kindText(kindOf(model), model.kind)),
    ...field(l10n.t('Context window'), contextWindow === undefined ? undefined : tokenLimitText(contextWindow)),
    ...field(l10n.t('Maximum reply'), maxOutputTokens === undefined ? undefined : tokenLimitText(maxOutputTokens)),
    ...field(l10n.t('Input'), input === undefined ? undefined : l10n.t('{0} per 1M tokens', amountText(input))),
    ...field(l10n.t('Output'), output === undefined ? undefined : l10n.t('{0} per 1M tokens', amountText(output))),
    ...field(l10n.t('Accepts'), model.inputModalities?.join(', ')),
    ...field(l10n.t('Generates'), model.outputModalities?.join(', ')),
    ...field(l10n.t('Owner'), model.ownedBy),
  ].map(({ label, value }) => ({ label, value: inline(value) }));
}

/** The service's own description of a model; empty without one. */
export function descriptionOf(model: ModelInfo): string {
  const { description } = model.raw;
  return typeof description === 'string' ? inline(description, 400) : '';
}

function field(label: string, value: string | undefined): readonly ModelField[] {
  return value === undefined || value === '' ? [] : [{ label, value }];
}
