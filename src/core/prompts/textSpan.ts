/** A part of a text that goes on being edited. Offsets are UTF-16 units, `to` excluded. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** One edit, as an editor tells it. */
export interface SpanChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/**
 * Where the part is after the edit. What is put right before or right after it is no part of it; what reaches over
 * an edge is.
 */
export function movedSpan(span: TextSpan, { rangeOffset, rangeLength, text }: SpanChange): TextSpan {
  const { from, to } = span;
  const growth = text.length - rangeLength;
  const end = rangeOffset + rangeLength;
  if (end <= from) return { from: from + growth, to: to + growth };
  if (rangeOffset >= to) return span;
  return { from: Math.min(from, rangeOffset), to: end <= to ? to + growth : rangeOffset + text.length };
}

/** Whether the edit changes the part itself. */
export function changesSpan({ from, to }: TextSpan, { rangeOffset, rangeLength }: SpanChange): boolean {
  return rangeOffset < to && rangeOffset + rangeLength > from;
}

/** Whether nobody can say any more what the part is: the edit replaces all of it, or reaches over an edge. */
export function losesSpan(span: TextSpan, change: SpanChange): boolean {
  const { rangeOffset, rangeLength } = change;
  const isWithin = rangeOffset >= span.from && rangeOffset + rangeLength <= span.to;
  return changesSpan(span, change) && !(isWithin && rangeLength < span.to - span.from);
}
