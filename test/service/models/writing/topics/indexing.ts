import type { Topic } from '../topic.ts';

export const indexing: Topic = {
  heading: 'Finding out why a query is slow',
  keywords: ['sql', 'query', 'database', 'index', 'postgres', 'slow', 'table', 'join', 'select'],
  openings: [
    'The database reads the whole table because no index fits both the filter and the order. One index over the two ' +
      'columns, in the order in which the query uses them, lets it stop after the first twenty rows.',
    'Ask the database before you guess: the plan says which step reads how many rows, and the slow step is nearly ' +
      'always the one whose *estimated* and *actual* numbers are far apart.',
  ],
  samples: [
    {
      lead: 'Measure, add the index without locking the table, and measure again:',
      language: 'sql',
      code: `EXPLAIN (ANALYZE, BUFFERS)
SELECT id, title, created_at
FROM tickets
WHERE project_id = 42 AND status = 'open'
ORDER BY created_at DESC
LIMIT 20;

CREATE INDEX CONCURRENTLY tickets_open_by_age
  ON tickets (project_id, created_at DESC)
  WHERE status = 'open';`,
      notes: [
        '**Equality first, order second**: rows of one project lie side by side, newest first.',
        'The `WHERE` makes it a *partial* index, small because closed tickets are not in it.',
        '`CONCURRENTLY` takes longer and lets writers work meanwhile.',
        'In the new plan the `Sort` step must be gone; if it is still there, the order does not match.',
      ],
    },
    {
      lead: 'In the application, page by the last key seen and not by an offset:',
      language: 'python',
      code: `def next_page(connection, project_id: int, before: datetime) -> list[Ticket]:
    rows = connection.execute(
        """
        SELECT id, title, created_at FROM tickets
        WHERE project_id = %s AND status = 'open' AND created_at < %s
        ORDER BY created_at DESC LIMIT 20
        """,
        (project_id, before),
    )
    return [Ticket(*row) for row in rows]`,
      notes: ['An offset of 10,000 reads 10,000 rows to throw them away.', 'Parameters are bound, never pasted.'],
    },
  ],
  steps: [
    {
      text: 'Read the plan from the inside out.',
      details: ['Look for `Seq Scan` on large tables.', 'Compare rows estimated and rows met.'],
    },
    { text: 'Change one thing.', details: ['An index.', 'Or the query.', 'Or the statistics, with `ANALYZE`.'] },
    { text: 'Measure on real amounts of data.', details: ['A thousand rows fit in memory and prove nothing.'] },
  ],
  table: {
    lead: 'Which index for which question:',
    header: ['Question', 'Index'],
    rows: [
      ['equal to', 'B-tree or hash'],
      ['between, ordered', 'B-tree'],
      ['contains a word', 'GIN over `tsvector`'],
      ['near a point', 'GiST'],
    ],
  },
  quote: 'An index is a second copy of your data that someone has to keep in order at every write.',
  tasks: ['Save the plan from before', 'Create the index concurrently', 'Drop the index that it replaces'],
  reference:
    'How to read a plan is explained line by line in ' +
    '[Using EXPLAIN](https://www.postgresql.org/docs/current/using-explain.html).',
  remarks: [
    'An index that no query uses still slows every insert; the statistics views tell you which ones those are.',
    'A function around the column, such as `lower(email)`, hides it from a plain index.',
    'Numbers from a laptop with a warm cache say little about a server under load.',
    'When the plan changes from day to day, the statistics are too coarse for the data.',
    'Twenty queries of one millisecond each are often worse than one of ten.',
  ],
};
