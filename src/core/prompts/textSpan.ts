/** A part of a text that is still being edited. Offsets are UTF-16 units, `to` excluded. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** One edit, as an editor reports it. */
export interface SpanChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/**
 * Where the part is after the edit. Text inserted right before or after it isn't included; an edit across one of its
 * edges is.
 */
export function movedSpan(span: TextSpan, { rangeOffset, rangeLength, text }: SpanChange): TextSpan {
  const { from, to } = span;
  const growth = text.length - rangeLength;
  const end = rangeOffset + rangeLength;
  if (end <= from) return { from: from + growth, to: to + growth };
  if (rangeOffset >= to) return span;
  return { from: Math.min(from, rangeOffset), to: end <= to ? to + growth : rangeOffset + text.length };
}

/** Where the part is after its offsets became others. */
export function movedTo({ from, to }: TextSpan, moved: { readonly offsetOf: (offset: number) => number }): TextSpan {
  return { from: moved.offsetOf(from), to: moved.offsetOf(to) };
}

/** Whether the edit changes the part itself. */
export function changesSpan({ from, to }: TextSpan, { rangeOffset, rangeLength }: SpanChange): boolean {
  return rangeOffset < to && rangeOffset + rangeLength > from;
}

/** Whether the part can no longer be determined: the edit replaces all of it, or crosses an edge. */
export function losesSpan(span: TextSpan, change: SpanChange): boolean {
  const { rangeOffset, rangeLength } = change;
  const isWithin = rangeOffset >= span.from && rangeOffset + rangeLength <= span.to;
  return changesSpan(span, change) && !(isWithin && rangeLength < span.to - span.from);
}
