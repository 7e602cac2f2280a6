import * as l10n from '@vscode/l10n';
import type { ModelInfo } from '../api/types.ts';

/** Models of one provider, in the order of their names. */
export interface ModelGroup {
  /** The id's first part, or who the catalogue says owns the model; empty when neither is known. */
  readonly provider: string;
  readonly models: readonly ModelInfo[];
}

/** The catalogue by provider. Each id once: some catalogues repeat themselves. */
export function groupByProvider(models: readonly ModelInfo[]): readonly ModelGroup[] {
  const groups = new Map<string, Map<string, ModelInfo>>();
  for (const model of models) {
    const provider = providerOf(model);
    const group = groups.get(provider) ?? new Map<string, ModelInfo>();
    groups.set(provider, group);
    if (!group.has(model.id)) {
      group.set(model.id, model);
    }
  }
  const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return [...groups]
    .map(([provider, byId]) => ({
      provider,
      models: [...byId.values()].toSorted((a, b) => order.compare(a.id, b.id)),
    }))
    .toSorted((a, b) => order.compare(a.provider, b.provider));
}

function providerOf(model: ModelInfo): string {
  const slash = model.id.indexOf('/');
  return slash > 0 ? model.id.slice(0, slash) : (model.ownedBy ?? '');
}

/** Whether a model can answer a chat, as far as the catalogue tells; where it says nothing, it may. */
export function mayChat(model: ModelInfo): boolean {
  const { inputModalities: inputs = [], outputModalities: outputs = [] } = model;
  if (outputs.length > 0) {
    // A transcriber puts out text too, and takes none.
    return outputs.includes('text') && (inputs.length === 0 || inputs.includes('text'));
  }
  return model.kind === undefined || !notChat.has(model.kind.toLowerCase());
}

const notChat: ReadonlySet<string> = new Set([
  'image',
  'video',
  'audio',
  'speech',
  'transcription',
  'embedding',
  'embeddings',
  'rerank',
  'reranker',
  'moderation',
]);

/** The facts of one row: `128k · 0.15 → 0.60 per M tokens`. Empty when the catalogue tells nothing. */
export function modelFacts(model: ModelInfo): string {
  const facts: string[] = [];
  if (model.kind !== undefined && !mayChat(model)) {
    facts.push(model.kind);
  }
  if (model.contextWindow !== undefined) {
    facts.push(compactTokens(model.contextWindow));
  }
  const { inputPricePerMillion: input, outputPricePerMillion: output } = model;
  if (input !== undefined && output !== undefined) {
    facts.push(
      input === 0 && output === 0 ? l10n.t('free') : l10n.t('{0} → {1} per M tokens', price(input), price(output)),
    );
  } else if (input !== undefined || output !== undefined) {
    facts.push(l10n.t('{0} per M tokens', price(input ?? output ?? 0)));
  }
  return facts.join(' · ');
}

/** `8192` as `8k`, `131072` as `128k`, `1000000` as `1M`: sizes are powers of two as often as of ten. */
export function compactTokens(tokens: number): string {
  if (tokens < 1000) {
    return String(tokens);
  }
  const kilo = tokens % 1024 === 0 ? 1024 : 1000;
  const thousands = tokens / kilo;
  return thousands < 1000 ? `${rounded(thousands)}k` : `${rounded(thousands / kilo)}M`;
}

function rounded(value: number): string {
  return String(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
}

/** Two decimals at least, and as many as a cheap model needs. */
function price(perMillion: number): string {
  const decimals = perMillion > 0 && perMillion < 0.1 ? 3 : 2;
  return perMillion.toFixed(decimals);
}
