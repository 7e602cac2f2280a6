import * as vscode from 'vscode';
import type { ModelInfo } from '../../api/types.ts';
import type { MeasuredFigures } from '../../core/measuredModel.ts';
import { abilitiesOf } from '../../core/modelAbilities.ts';
import { modelFacts, speedFacts, type ModelSpeed } from '../../core/modelFacts.ts';
import { speedOf } from '../models/modelItem.ts';

/** Where the catalogue does not say: a size that most models of today have. Too much is told by a 413. */
const usualContextWindow = 131_072;
/** Spec, `max_tokens`: what the service writes at most where nothing is asked for. */
const usualOutput = 4096;

/** How VS Code's own chat shows a model, and how much it may send to it. */
export function modelInformation(
  model: ModelInfo,
  figures: MeasuredFigures | undefined,
): vscode.LanguageModelChatInformation {
  const { id } = model;
  const slash = id.indexOf('/');
  const provider = slash > 0 ? id.slice(0, slash) : (model.ownedBy ?? '');
  const speed = speedOf(figures);
  const contextWindow = model.contextWindow ?? usualContextWindow;
  // A model that may fill its whole window with its reply would leave no room for a question.
  const maxOutputTokens = Math.min(model.maxOutputTokens ?? usualOutput, Math.ceil(contextWindow / 2));
  return {
    id,
    name: slash > 0 ? id.slice(slash + 1) : id,
    family: id,
    version: id,
    detail: [provider, ...speedFacts(speed)].filter((fact) => fact !== '').join(' · '),
    tooltip: tooltip(model, speed, figures?.requestCount ?? 0),
    maxInputTokens: contextWindow - maxOutputTokens,
    maxOutputTokens,
    capabilities: { imageInput: abilitiesOf(model).has('multimodal'), toolCalling: mayCallTools(model) },
  };
}

/** What is asked for as `max_tokens`: the service's own default would cut a long edit in half. */
export function requestedOutput(
  model: ModelInfo,
  information: { readonly maxOutputTokens: number },
): number | undefined {
  return model.maxOutputTokens === undefined ? undefined : information.maxOutputTokens;
}

function tooltip(model: ModelInfo, speed: ModelSpeed, requests: number): string {
  const facts = modelFacts(model);
  const measured = speedFacts(speed);
  return [
    model.id,
    ...(facts === '' ? [] : [facts]),
    measured.length === 0
      ? vscode.l10n.t('Not measured on this machine yet.')
      : vscode.l10n.t('Measured here: {0} (median of {1} requests).', measured.join(' · '), requests),
  ].join('\n');
}

/** Some catalogues list the parameters that a model takes. Where nothing is said, it may. */
function mayCallTools({ raw }: ModelInfo): boolean {
  const listed = raw['supported_parameters'];
  return !Array.isArray(listed) || listed.includes('tools');
}
