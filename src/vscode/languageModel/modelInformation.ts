import * as vscode from 'vscode';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { type MeasuredFigures, speedOf } from '../../core/models/measuredModel.ts';
import { takesPictures } from '../../core/models/modelAbilities.ts';
import { modelFacts, speedFacts } from '../../core/models/modelFacts.ts';
import { refParts } from '../../shared/modelRef.ts';
import type { ModelSpeed } from '../../shared/usage.ts';
import { plainEitherWay } from '../platform/plainLabel.ts';
import { marksExplained } from '../../words/figureMark.ts';
import { withService } from '../../words/modelLabel.ts';

/** If the model list doesn't say: a common size of current models. If it's too large, a 413 says so. */
const usualContextWindow = 131_072;
/** Spec, `max_tokens`: the maximum that the service writes if the request doesn't say. */
const usualOutput = 4096;

/**
 * How VS Code's own chat shows a model, and how much it can send to it.
 * @param measured absent if there can't be any figures: they're stored by ID, and IDs belong to one service.
 * @param lack says that its service doesn't support chat
 * @param lacksImages its service is known not to accept images in chats
 * @param hasAcceptedImages the model is known to have accepted some
 */
export function modelInformation(
  model: ModelInfo,
  measured?: { readonly figures: MeasuredFigures | undefined },
  {
    lack,
    lacksImages = false,
    hasAcceptedImages = false,
  }: {
    readonly lack?: string | undefined;
    readonly lacksImages?: boolean;
    readonly hasAcceptedImages?: boolean;
  } = {},
): vscode.LanguageModelChatInformation {
  const { id } = model;
  // A service that was added in VS Code's own list has no refs, and VS Code itself shows its name.
  const { service, model: own } = measured === undefined ? { service: undefined, model: id } : refParts(id);
  const named = (text: string) => (service === undefined ? text : withService(text, service));
  const slash = own.indexOf('/');
  const provider = slash > 0 ? own.slice(0, slash) : (model.ownedBy ?? '');
  const speed = speedOf(measured?.figures);
  const contextWindow = model.contextWindow ?? usualContextWindow;
  // A model that could fill its whole context window with its reply would leave no room for a question.
  const maxOutputTokens = Math.min(model.maxOutputTokens ?? usualOutput, Math.ceil(contextWindow / 2));
  const information: vscode.LanguageModelChatInformation = {
    id,
    name: plainEitherWay(named(slash > 0 ? own.slice(slash + 1) : own)),
    family: id,
    version: id,
    detail: plainEitherWay(lack ?? [provider, ...speedFacts(speed)].filter((fact) => fact !== '').join(' · ')),
    tooltip: [
      named(own),
      lack ?? '',
      modelFacts(model),
      ...(measured === undefined ? [] : [measuredText(speed, measured.figures)]),
    ]
      .filter((line) => line !== '')
      // VS Code draws it as Markdown with icons and images.
      .map(plainEitherWay)
      .join('\n'),
    maxInputTokens: contextWindow - maxOutputTokens,
    maxOutputTokens,
    // Many lists only have IDs, and a model that isn't offered could never be used.
    capabilities: {
      imageInput: !lacksImages && (takesPictures(model) ?? (hasAcceptedImages || model.kind === undefined)),
      toolCalling: mayCallTools(model),
    },
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
