const endings = '.cjs .cts .j2 .js .json .jsonl .md .mjs .mts .py .ts .txt .yml .yaml'.split(' ');

/**
 * Whether promptfoo reads a prompt from somewhere else instead of sending this text: `maybeFilePath` of its
 * `prompts/utils.ts`, with what it loads in other ways.
 */
export function isPromptPath(text: string): boolean {
  if (/^(?:exec|python|package):|^[a-z][a-z\d+.-]*:\/\//i.test(text)) return true;
  if (/\n|(?:portkey|langfuse|helicone):\/\//.test(text)) return false;
  const [name, path] = text.split(':').toReversed();
  return (
    endings.some((ending) => name?.endsWith(ending) === true || path?.endsWith(ending) === true) ||
    text.at(-3) === '.' ||
    text.at(-4) === '.' ||
    /[*/\\]/.test(text)
  );
}

/** The only prompt in a text file. Undefined if the file has several, which a line of dashes separates, or none. */
export function promptOfText(text: string): string | undefined {
  const lines = text.split(/\r?\n/);
  const prompt = lines.join('\n').trim();
  return prompt === '' || lines.some((line) => line.trim() === '---') ? undefined : prompt;
}
