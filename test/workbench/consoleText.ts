/** The text of `console.log`'s arguments as a browser shows it: without the `%c` styles that VS Code adds. */
export function consoleText(values: readonly unknown[]): string {
  const [format, ...rest] = values;
  if (typeof format !== 'string') return values.map(String).join(' ');
  const styles = format.match(/%c/g)?.length ?? 0;
  const text = format.replaceAll('%c', '');
  const others = rest.slice(styles).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return [text, ...others].join(' ');
}
