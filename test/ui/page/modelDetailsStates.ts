import { decodeModels } from '../../../src/api/wire/decodeModels.ts';
import type { MeasuredFigures } from '../../../src/core/models/measuredModel.ts';
import { ModelIndex } from '../../../src/core/models/modelIndex.ts';
import { modelDetailsHtml, type ModelDetailsView } from '../../../src/vscode/models/modelDetailsHtml.ts';

const row = {
  id: 'maker/a-model-with-quite-a-long-name-instruct',
  type: 'chat',
  owned_by: 'maker',
  description: 'A model for everyday questions and for code, with tools.',
  context_length: 131_072,
  max_output_tokens: 8192,
  input_modalities: ['text', 'image'],
  output_modalities: ['text'],
  pricing: { prompt: '0.0000002', completion: '0.0000006' },
  an_unknown_field_with_a_rather_long_name: { regions: ['north', 'south'], shade: null },
};

const figures: MeasuredFigures = {
  requestCount: 120,
  failureCount: 3,
  timeToFirstTokenSeconds: { p50: 0.31, p95: 1.2, from: 'service' },
  tokensPerSecond: { p50: 84.2, p95: 21, from: 'service' },
  latest: Array.from({ length: 30 }, (_, index) => ({
    at: index,
    timeToFirstTokenSeconds: 0.2 + (index % 5) / 10,
    tokensPerSecond: 60 + (index % 7) * 5,
  })),
};

function view(facts: Partial<ModelDetailsView>): ModelDetailsView {
  const [model] = decodeModels([row]);
  if (model === undefined) throw new Error('The sample is no model');
  return {
    entry: new ModelIndex([model]).findOrName(model.id),
    isFavorite: true,
    isHidden: true,
    isDefault: true,
    fetchedAt: Date.UTC(2030, 0, 1, 12),
    language: 'en',
    cspSource: "'self'",
    stylesheet: 'pageStyle.css',
    ...facts,
  };
}

const states: Readonly<Record<string, () => ModelDetailsView>> = {
  measured: () => view({ figures }),
  unmeasured: () => view({ isFavorite: false, isHidden: false, isDefault: false }),
  notListed: () => view({ entry: new ModelIndex([]).findOrName('maker/typed-by-hand') }),
};

export const modelDetailsStates: readonly string[] = Object.keys(states);

/** The page about a model in one of its states, as the extension writes it. */
export function modelDetailsPage(state: string): string {
  const wanted = states[state];
  if (wanted === undefined) throw new Error(`No state of the page about a model named ${state}`);
  return modelDetailsHtml(wanted());
}
