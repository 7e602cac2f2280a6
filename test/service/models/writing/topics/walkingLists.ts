import type { Topic } from '../topic.ts';

export const walkingLists: Topic = {
  heading: 'Changing a list while walking it',
  keywords: ['loop', 'skip', 'skips', 'array', 'list', 'items', 'splice', 'filter', 'iterate', 'javascript'],
  openings: [
    'Removing an element while walking the array shifts everything behind it one place to the left, so the next ' +
      'index jumps over one item. Do not remove; build a **new list** of what stays.',
    'The loop counts positions, and `splice` moves the items under it. After each removal the next item sits at the ' +
      'position that was just done, and is never looked at. Keep what you want instead of taking out what you do not.',
  ],
  samples: [
    {
      lead: 'With a type for the items, that is:',
      language: 'typescript',
      code: `interface Task {
  readonly title: string;
  readonly done: boolean;
}

export function openTasks(tasks: readonly Task[]): Task[] {
  return tasks.filter((task) => !task.done);
}

const open = openTasks(await load('tasks.json'));
await save('tasks.json', open);
console.log(\`\${open.length} tasks left\`);`,
      notes: [
        '`filter` never skips: it reads the old array and writes a new one.',
        'The parameter is `readonly`, so the compiler refuses a later `splice` on it.',
        'Saving once, after the loop, also means that a crash leaves the old file *whole*.',
      ],
    },
    {
      lead: 'If the array must stay the same object, walk it **backwards**, so that only seen items move:',
      language: 'javascript',
      code: `for (let index = tasks.length - 1; index >= 0; index -= 1) {
  if (tasks[index].done) tasks.splice(index, 1);
}`,
      notes: [
        'What shifts has already been looked at.',
        'Each `splice` still moves the whole tail: for a long list, that is quadratic.',
      ],
    },
  ],
  steps: [
    {
      text: 'Find what changes the list.',
      details: ['`splice`, `shift`, `push` inside the loop.', 'A callback that does.'],
    },
    {
      text: 'Replace the change by a choice.',
      details: ['`filter` to keep.', '`map` to convert.', '`flatMap` for both.'],
    },
    { text: 'Assign the new list once.', details: ['Others that hold the old one keep a stable view.'] },
  ],
  table: {
    lead: 'What each way costs for *n* items of which *k* go:',
    header: ['Way', 'Time', 'Same array object'],
    rows: [
      ['`filter`', 'n', 'no'],
      ['backwards with `splice`', 'n · k', 'yes'],
      ['two indices, then cut the length', 'n', 'yes'],
    ],
  },
  quote: 'Most bugs of this kind go away when a loop either reads a list or changes it, and never both.',
  tasks: ['Replace the loop by `filter`', 'Test with two neighbours that both go', 'Test with an empty list'],
  reference:
    'The order in which array methods read and write is laid down under ' +
    '[`Array.prototype.filter`](https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Array/filter).',
  remarks: [
    'The bug hides until two neighbours match, which is why a test with a single match passes.',
    'A `for…of` loop has the same trouble, because its iterator counts positions as well.',
    'A `Set` or a `Map` may lose entries while it is walked; the language promises that nothing is skipped.',
    'With a million items the new list costs about 8 MB for a moment, and one pass.',
    'If others hold on to the array, tell them by an event rather than by changing it under their feet.',
  ],
};
