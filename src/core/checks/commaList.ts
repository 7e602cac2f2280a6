/**
 * The items of a list that is written as text, with promptfoo's rules: separated by commas, without spaces around them.
 * An item in double quotes can contain commas, with its quotes doubled or after a backslash. Undefined for a quote that
 * isn't closed, or isn't followed by a comma.
 */
export function commaList(text: string): readonly string[] | undefined {
  const items: string[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && /[\s,]/.test(text.charAt(at))) at += 1;
    if (at >= text.length) return items;
    if (text[at] === '"') {
      const quoted = quotedItem(text, at);
      if (quoted === undefined) return undefined;
      items.push(quoted.item);
      at = quoted.end;
      while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
      if (at < text.length && text[at] !== ',') return undefined;
    } else {
      const comma = text.indexOf(',', at);
      const end = comma < 0 ? text.length : comma;
      items.push(text.slice(at, end).trim());
      at = end;
    }
  }
}

function quotedItem(text: string, start: number): { readonly item: string; readonly end: number } | undefined {
  let item = '';
  for (let at = start + 1; at < text.length; at += 1) {
    if (isEscaped(text.charAt(at), text.charAt(at + 1))) at += 1;
    else if (text[at] === '"') return { item, end: at + 1 };
    item += text.charAt(at);
  }
  return undefined;
}

/** Whether the first of two characters only escapes the second. */
function isEscaped(sign: string, next: string): boolean {
  return (sign === '\\' && (next === '"' || next === '\\')) || (sign === '"' && next === '"');
}
