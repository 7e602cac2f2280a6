/**
 * The one subject that the writer knows, in Markdown: the bug in the sample workspace's `src/tasks.ts`. It's shown in
 * the demo and in the README's images.
 */
export const loopAnswer = {
  /** Words in a question that this answers. */
  asksForIt: /\b(array|bug|filter|items?|lists?|loops?|removeDone|skip(s|ped)?|splice|tasks?)\b/i,
  /** Starts the reply if something else was asked. */
  remark:
    'I’m the demo’s writing model, and I know just one subject: why the loop in `src/tasks.ts` skips tasks. Here it is.',
  openings: [
    '`splice` removes a task and moves everything after it one place to the left. Then `index++` moves on, so the ' +
      'task that slid into the gap is never checked. The simplest fix is to build a **new list** of what you want to keep.',
    'Two finished tasks in a row are enough to see it: removing the first pulls the second into its place, and ' +
      '`index++` steps right over it. Don’t take out what’s done; **keep what isn’t**.',
    'The loop counts positions, but `splice` moves the tasks underneath it. After each removal, the next task sits ' +
      'where the loop has just been. **Filtering the list** does the same job without moving anything.',
  ],
  code: [
    'Here’s the whole function:',
    `\`\`\`typescript
/** The tasks that are still open. The list you pass in stays as it is. */
export function removeDone(tasks: readonly Task[]): Task[] {
  return tasks.filter((task) => !task.done);
}
\`\`\``,
    `- \`filter\` checks every task exactly once.
- The parameter is \`readonly\`, so the compiler rejects a \`splice\` that someone adds later.
- Callers get a *new* array, so they have to use what’s returned.`,
    'The bug hides until two finished tasks stand next to each other, which is why a test with only one of them passes. ' +
      'A `for…of` loop has the same problem, because its iterator counts positions too.',
  ],
  /** In any order. */
  sections: [
    [
      '### If it has to stay the same array',
      'Walk it **backward**, so that only tasks you’ve already checked move:',
      `\`\`\`javascript
for (let index = tasks.length - 1; index >= 0; index--) {
  if (tasks[index].done) tasks.splice(index, 1);
}
\`\`\``,
      'Each `splice` still moves the whole tail, which gets slow for a long list.',
    ],
    [
      '### What each way costs',
      'For *n* tasks of which *k* are done:',
      `| Way | Steps | Same array |
| --- | --- | --- |
| \`filter\` | n | no |
| Backward with \`splice\` | n · k | yes |
| Move what stays, then cut the length | n | yes |`,
    ],
    [
      '### Step by step',
      `1. Find what changes the list inside the loop.
   - \`splice\`, \`shift\`, and \`push\` are the usual ones.
   - A function called from the loop can do it too.
2. Replace the loop.
   - \`filter\` keeps some items.
   - \`map\` converts all of them.
3. Use the list that’s returned.`,
    ],
    [
      '### Before you merge',
      `- [x] Replace the loop with \`filter\`.
- [ ] Test it with two finished tasks in a row.
- [ ] Test it with an empty list.`,
      '> A loop can read a list or change it. When it does both, it’s time to look twice.',
    ],
  ],
  closing:
    'For the details, see [`Array.prototype.filter`]' +
    '(https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Array/filter) on MDN.',
} as const;
