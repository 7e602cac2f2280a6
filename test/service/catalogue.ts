import type { ModelDefinition } from './models/modelDefinition.ts';

/** All local models are as old as the service itself. */
const createdAtSeconds = Date.UTC(2025, 0, 1) / 1000;

/** The `data` of the catalogue. Prices are strings, in credits per token or request. */
export function catalogueRows(models: Iterable<ModelDefinition>, listsHidden: boolean): readonly object[] {
  return [...models]
    .filter((model) => listsHidden || !model.hidden)
    .map((model) => ({
      id: model.id,
      object: 'model',
      created: createdAtSeconds,
      owned_by: 'local',
      description: model.description,
      type: model.kind,
      context_length: model.contextWindow,
      max_output_tokens: model.maxOutputTokens,
      pricing: {
        prompt: decimal(model.price.perPromptToken),
        completion: decimal(model.price.perCompletionToken),
        request: decimal(model.price.perRequest),
      },
      architecture: {
        modality: model.kind === 'video' ? 'text+image+audio->video' : 'text->text',
        input_modalities: model.kind === 'video' ? ['text', 'image', 'audio'] : ['text'],
        output_modalities: [model.kind === 'video' ? 'video' : 'text'],
      },
    }));
}

/** Without an exponent, which `String` would use for small numbers. */
function decimal(value: number): string {
  return value.toFixed(12).replace(/\.?0+$/, '');
}
