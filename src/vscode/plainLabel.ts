/**
 * Words from elsewhere as a label or a notification of VS Code: `$(name)` in them must not turn into an icon,
 * nor `[name](command:…)` into a link that runs a command.
 */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$\u200B(').replaceAll('](', ']\u200B(');
}
