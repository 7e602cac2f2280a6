import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { fieldsOf, type FieldValue, type MediaKind } from '../../shared/media.ts';
import type { FieldDefaults } from '../../shared/protocol/mediaProtocol.ts';
import { inline } from '../../words/inline.ts';
import { valueWords } from './mediaFacts.ts';

/** What a model uses for fields that are left empty, from `default_parameters` in its row of the model list. */
export function fieldDefaults(kind: MediaKind, { raw }: Pick<ModelInfo, 'raw'>): FieldDefaults {
  const { default_parameters: listed } = raw;
  if (typeof listed !== 'object' || listed === null) return {};
  const values = new Map<string, unknown>(Object.entries(listed));
  return Object.fromEntries(
    fieldsOf(kind).flatMap((row) => {
      if (row.type === 'input' || row.type === 'prompt' || row.type === 'choice') return [];
      const value = row.type === 'size' ? sizeIn(values) : values.get(row.wire);
      return isFitting(value) ? [[row.name, inline(valueWords(row.name, value), 40)]] : [];
    }),
  );
}

function sizeIn(values: ReadonlyMap<string, unknown>): unknown {
  const [width, height] = [values.get('width'), values.get('height')];
  return typeof width === 'number' && typeof height === 'number' ? `${width}x${height}` : values.get('size');
}

function isFitting(value: unknown): value is Extract<FieldValue, string | number> {
  return (typeof value === 'string' && value !== '') || (typeof value === 'number' && Number.isFinite(value));
}
