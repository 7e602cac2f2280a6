import * as vscode from 'vscode';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { type MeasuredFigures, speedOf } from '../../core/models/measuredModel.ts';
import { takesPictures } from '../../core/models/modelAbilities.ts';
import { modelFacts, speedFacts } from '../../core/models/modelFacts.ts';
import type { ModelSpeed } from '../../shared/usage.ts';
import { marksExplained } from '../../words/figureMark.ts';

/** Where the catalog does not say: a size that most models of today have. Too much is told by a 413. */
const usualContextWindow = 131_072;
/** Spec, `max_tokens`: what the service writes at most where nothing is asked for. */
const usualOutput = 4096;

/**
 * How VS Code's own chat shows a model, and how much it may send to it.
 *
 * @param measured absent where figures cannot be had: they are kept by id, and ids are one service's own.
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
  // A model that may fill its whole window with its reply would leave no room for a question.
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
    // Many lists say nothing but the id: what is not offered then could never be used.
    capabilities: { imageInput: takesPictures(model) ?? model.kind === undefined, toolCalling: mayCallTools(model) },
  };
  // Not in the API that we are typed by: VS Code before 1.109 leaves out of its picker what does not say so.
  Reflect.set(information, 'isUserSelectable', true);
  return information;
}

/** What is asked for as `max_tokens`: the service's own default would cut a long edit in half. */
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

/** Some catalogs list the parameters that a model takes. Where nothing is said, it may. */
function mayCallTools({ raw }: ModelInfo): boolean {
  const listed = raw['supported_parameters'];
  return !Array.isArray(listed) || listed.includes('tools');
}
