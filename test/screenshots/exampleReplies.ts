/** The replies of the models in the images: short, true, and different for each model. */
const skippedTasks: Readonly<Record<string, string>> = {
  'kestrel/sparrow': `\`splice\` moves every later task one place to the left, but \`index\` still goes up. The task after each removed one is never checked.

Build a new list instead:

\`\`\`typescript
return tasks.filter((task) => !task.done);
\`\`\`

- **One pass.** Each task is read once, so a list of a million stays fast.
- **The input is safe.** The list you were given stays as it was.

Callers must use the return value, because the list they passed in no longer changes.`,
  'northwind/gale-32b-instruct': `The loop changes the list while it walks over it. After \`splice(index, 1)\`, the next task takes the removed one's place, and \`index++\` steps past it.

You'll see it only when two finished tasks are neighbors, which is why a test with a single finished task passes.

Walk backwards, so that only checked tasks move:

\`\`\`typescript
for (let i = tasks.length - 1; i >= 0; i--) {
  if (tasks[i]?.done) tasks.splice(i, 1);
}
\`\`\`

If other code holds on to the same array, keep this version. Otherwise \`filter\` is shorter and leaves its input alone.`,
  'harbor/quill-70b': `Removing an item inside the loop shifts all items after it. The one that follows moves into the current position, and the next round looks one further.

\`\`\`typescript
return tasks.filter((task) => !task.done);
\`\`\`

This returns a new array, so callers have to use what it returns.`,
};

const simplified = `\`\`\`ts
/** The tasks that aren't done. */
export function removeDone(tasks: readonly Task[]): Task[] {
  return tasks.filter((task) => !task.done);
}
\`\`\`
`;

const summary =
  'It removes finished tasks from the list. When two finished tasks follow each other, it skips the second.';

/** Attached code says "skips" too, so only the text outside of code blocks counts. */
export function replyOf(model: string, message: string): string {
  const question = message.replaceAll(/^(`{3,})[\s\S]*?^\1/gm, '');
  if (/simpl|clearer|shorter/i.test(question)) return simplified;
  if (/skip/i.test(question)) return skippedTasks[model] ?? summary;
  return summary;
}
