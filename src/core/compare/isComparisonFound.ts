import { hasInOrder } from '../models/hasInOrder.ts';

/** What a list of comparisons shows of one, and what it has only the beginning of. */
interface SearchedComparison {
  readonly shown: readonly string[];
  readonly questions: readonly string[];
}

/** Whether it shows these characters in this order, as in VS Code's own search, or its questions have all these words. */
export function isComparisonFound({ shown, questions }: SearchedComparison, typed: string): boolean {
  const wanted = typed.trim().toLowerCase();
  if (shown.some((text) => hasInOrder(text.toLowerCase(), wanted))) return true;
  // In a long text, almost any characters occur in any order.
  const text = questions.join('\n').toLowerCase();
  return wanted.split(/\s+/).every((word) => text.includes(word));
}
