/** A name from elsewhere as a label of VS Code: `$(name)` in it must not turn into an icon. */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$\u200B(');
}
