import type * as vscode from 'vscode';
import type { ModelCatalogs } from '../../core/models/modelCatalogs.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { languageModelVendor } from '../settings/contributions.ts';

type Asked = { readonly model: Pick<vscode.ChatRequest['model'], 'vendor' | 'id' | 'maxInputTokens'> };

/** The model that the user selected in VS Code's chat, if it's one of ours. */
export function ownModelOf({ model }: Asked): string | undefined {
  return model.vendor === languageModelVendor ? model.id : undefined;
}

/**
 * The context window of the model that replies, in tokens, if known. With another extension's model selected, ours
 * replies.
 */
export async function answeringWindow(
  request: Asked,
  model: ModelRef | undefined,
  catalog: Pick<ModelCatalogs, 'load' | 'contextWindowOf'>,
): Promise<number | undefined> {
  if (ownModelOf(request) !== undefined) return request.model.maxInputTokens;
  if (model === undefined) return undefined;
  // The stored model list is enough.
  await catalog.load();
  return catalog.contextWindowOf(model);
}
