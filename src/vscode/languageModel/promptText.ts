/** The text in a rendered prompt (`@vscode/prompt-tsx`), which other extensions' tools can return. */
export function promptText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value : '';
  return 'node' in value ? textOfNode(value.node).trim() : JSON.stringify(value);
}

function textOfNode(node: unknown): string {
  if (typeof node !== 'object' || node === null) return '';
  if ('text' in node && typeof node.text === 'string') {
    const startsLine =
      'lineBreakBefore' in node && node.lineBreakBefore !== false && node.lineBreakBefore !== undefined;
    return (startsLine ? '\n' : '') + node.text;
  }
  return 'children' in node && Array.isArray(node.children) ? node.children.map(textOfNode).join('') : '';
}
