/** Returns undefined instead of throwing: no JSON text has that value. */
export function parseJson(text: string): unknown {
  const json = parsed(text);
  if (json !== undefined) return json;
  return /NaN|Infinity/.test(text) ? parsed(withoutNonNumbers(text)) : undefined;
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Python writes `NaN` and `Infinity`, which JSON doesn't have. They become null, and so count as missing. Linear time.
 */
function withoutNonNumbers(text: string): string | undefined {
  const pieces: string[] = [];
  for (let at = 0; ;) {
    const quote = text.indexOf('"', at);
    pieces.push(text.slice(at, quote === -1 ? undefined : quote).replace(/-?\b(?:NaN|Infinity)\b/g, 'null'));
    if (quote === -1) return pieces.join('');
    const end = closingQuote(text, quote);
    if (end === -1) return undefined;
    pieces.push(text.slice(quote, end + 1));
    at = end + 1;
  }
}

function closingQuote(text: string, quote: number): number {
  let end = text.indexOf('"', quote + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}
