import type { Topic } from '../topic.ts';

export const bisecting: Topic = {
  heading: 'Finding the commit that broke it',
  keywords: ['git', 'commit', 'bisect', 'branch', 'merge', 'rebase', 'history', 'regression', 'bash', 'shell'],
  openings: [
    'Let Git search for you: tell it one commit that works and one that does not, give it a command that can tell the ' +
      'two apart, and it finds the first bad one in a handful of steps.',
    'You do not need to read the whole history. Among a thousand commits the first bad one is ten tests away, because ' +
      'each test halves what is left.',
  ],
  samples: [
    {
      lead: 'All of it in five lines:',
      language: 'bash',
      code: `git bisect start
git bisect bad HEAD
git bisect good v1.4.0
git bisect run sh -c 'npm ci --silent || exit 125; npm test -- --grep "keeps the draft"'
git bisect reset`,
      notes: [
        'Exit code `0` means good, `1` to `124` mean bad.',
        '**125 means skip**: use it for commits that do not even build.',
        '`bisect run` repeats the command by itself; you can go and make tea.',
        '`bisect reset` brings you back to where you were.',
      ],
    },
    {
      lead: 'Once the commit is known, see what it did to the one file that matters:',
      language: 'diff',
      code: ` function closePanel(panel: Panel): void {
-  saveDraft(panel.text);
   panel.dispose();
+  saveDraft(panel.text);
 }`,
      notes: ['The text is read after the panel is gone.', 'Swapping the two lines back is the whole repair.'],
    },
  ],
  steps: [
    { text: 'Write the check first.', details: ['It must fail now.', 'It must pass on the good commit.'] },
    { text: 'Let it run.', details: ['Work in a second worktree to keep your own files in peace.'] },
    { text: 'Keep the check.', details: ['As a test, in the commit that repairs it.'] },
  ],
  table: {
    lead: 'How many tests it takes:',
    header: ['Commits in between', 'Tests at most'],
    rows: [
      ['10', '4'],
      ['100', '7'],
      ['1,000', '10'],
    ],
  },
  quote: 'Small commits are written for the day on which someone has to search among them.',
  tasks: ['Reproduce it with one command', 'Name the commit in the issue', 'Turn the command into a test'],
  reference: 'All options, with examples, are in the [manual of git bisect](https://git-scm.com/docs/git-bisect).',
  remarks: [
    'A flaky check sends the search the wrong way, so run it three times before you trust it.',
    'Merges are no obstacle: Git walks the graph and not the dates.',
    'If only some machines show it, bisect the environment in the same way.',
    'The commit that broke it is not always the one that is wrong; it may have uncovered something older.',
    'Write down what you learned in the message of the repair, because the next person will search there.',
  ],
};
