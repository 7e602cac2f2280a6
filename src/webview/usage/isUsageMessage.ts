import type { UsageToPage } from '../../shared/usage.ts';

/** Whether this came from our own host. Of its numbers each is checked where it is drawn. */
export function isUsageMessage(value: unknown): value is UsageToPage {
  return (
    isRecord(value) &&
    value['type'] === 'usage' &&
    isRecord(value['usage']) &&
    isSum(value['usage']['today']) &&
    isListOfSums(value['usage']['days']) &&
    isRecord(value['usage']['ranges']) &&
    ['today', 'week', 'month', 'all'].every(
      (range) =>
        isRecord(value['usage']) && isRecord(value['usage']['ranges']) && isListOfSums(value['usage']['ranges'][range]),
    )
  );
}

const figures = ['requests', 'failed', 'promptTokens', 'completionTokens', 'cost', 'unpriced'];

function isListOfSums(value: unknown): boolean {
  return Array.isArray(value) && value.every(isSum);
}

function isSum(value: unknown): boolean {
  return isRecord(value) && figures.every((name) => typeof value[name] === 'number');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
