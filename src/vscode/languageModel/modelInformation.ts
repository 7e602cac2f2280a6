import * as vscode from 'vscode';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { type MeasuredFigures, speedOf } from '../../core/models/measuredModel.ts';
import { takesPictures } from '../../core/models/modelAbilities.ts';
import { modelFacts, speedFacts } from '../../core/models/modelFacts.ts';
import type { ModelSpeed } from '../../shared/usage.ts';
import { marksExplained } from '../../words/figureMark.ts';

/** If the model list doesn't say: a common size of current models. If it's too large, a 413 says so. */
const usualContextWindow = 131_072;
/** Spec, `max_tokens`: the maximum that the service writes if the request doesn't say. */
const usualOutput = 4096;

/**
 * How VS Code's own chat shows a model, and how much it can send to it.
 * @param measured absent if there can't be any figures: they're stored by ID, and IDs belong to one service.
 */
export function modelInformation(
  model: ModelInfo,
  measured?: { readonly figures: MeasuredFigures | undefined },
): vscode.LanguageModelChatInformation {
  const { id } = model;
  const slash = id.indexOf('/');
  const provider = slash > 0 ? id.slice(0, slash) : (model.ownedBy ?? '');
  const speed = speedOf(measured?.figures);
  const contextWindow = model.contextWindow ?? usualContextWindow;
  // A model that could fill its whole context window with its reply would leave no room for a question.
  const maxOutputTokens = Math.min(model.maxOutputTokens ?? usualOutput, Math.ceil(contextWindow / 2));
  const information: vscode.LanguageModelChatInformation = {
    id,
    name: slash > 0 ? id.slice(slash + 1) : id,
    family: id,
    version: id,
    detail: [provider, ...speedFacts(speed)].filter((fact) => fact !== '').join(' · '),
    tooltip: [model.id, modelFacts(model), ...(measured === undefined ? [] : [measuredText(speed, measured.figures)])]
      .filter((line) => line !== '')
      .join('\n'),
    maxInputTokens: contextWindow - maxOutputTokens,
    maxOutputTokens,
    // Many lists only have IDs, and a model that isn't offered could never be used.
    capabilities: { imageInput: takesPictures(model) ?? model.kind === undefined, toolCalling: mayCallTools(model) },
  };
  // Not in the API we're typed against: VS Code before 1.109 leaves models without it out of its picker.
  Reflect.set(information, 'isUserSelectable', true);
  return information;
}

/** The `max_tokens` of requests: the service's own default would cut a long edit in half. */
export function requestedOutput(
  model: ModelInfo,
  information: { readonly maxOutputTokens: number },
): number | undefined {
  return model.maxOutputTokens === undefined ? undefined : information.maxOutputTokens;
}

function measuredText(speed: ModelSpeed, figures: MeasuredFigures | undefined): string {
  const facts = speedFacts(speed).join(' · ');
  if (facts === '') return vscode.l10n.t('Not measured on this machine yet.');
  const measured = vscode.l10n.t('Measured here: {0} (median of {1} requests).', facts, figures?.requestCount ?? 0);
  return [measured, ...marksExplained(facts)].join('\n');
}

/** Some model lists include the supported parameters. Without them, all are assumed to be supported. */
function mayCallTools({ raw }: ModelInfo): boolean {
  const listed = raw['supported_parameters'];
  return !Array.isArray(listed) || listed.includes('tools');
}
