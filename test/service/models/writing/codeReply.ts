/** Each fault of the sample workspace's `src/tasks.ts` that the writer finds in code, with what replaces it. */
const corrections = [
  [
    /^([ \t]*)for \(let index = 0; index < tasks\.length; index\+\+\) \{\n.*splice\(index, 1\);\n[ \t]*\}\n[ \t]*return tasks;/m,
    '$1return tasks.filter((task) => !task.done);',
  ],
  [/\(tasks: Task\[\]\)/, '(tasks: readonly Task[])'],
  [
    /\/\*\* Removes finished tasks, but .*\*\//,
    '/** The tasks that are still open. The list you pass in stays as it is. */',
  ],
] as const;

/** The corrected code, if the message asks for code and nothing else. */
export function codeReply(question: string): string | undefined {
  if (!/in one code block and nothing else/.test(question)) return undefined;
  const [, fence, language = '', code] = /(?:^|\n)(`{3,})(\w*)\n((?:(?!\n`{3})[\s\S])*)\n\1$/.exec(question) ?? [];
  if (fence === undefined || code === undefined) return undefined;
  const corrected = corrections.reduce((text, [fault, right]) => text.replace(fault, right), code);
  return `${fence}${language}\n${corrected}\n${fence}`;
}
