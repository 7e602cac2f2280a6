import type { Topic } from '../topic.ts';

export const workers: Topic = {
  heading: 'Doing many things at once, but not all',
  keywords: [
    'go',
    'golang',
    'concurrency',
    'parallel',
    'goroutine',
    'channel',
    'worker',
    'workers',
    'queue',
    'thread',
    'await',
    'promise',
  ],
  openings: [
    'Start a fixed number of workers that share one channel, and let each take the next job when it is done with the ' +
      'last. The number of workers is then the limit, and no job waits behind a slow one for longer than it must.',
    'Ten thousand goroutines are cheap; ten thousand open connections are not. What needs a limit is the thing at the ' +
      'other end, so put the limit where that thing is called.',
  ],
  samples: [
    {
      lead: 'With an error group the first failure stops the rest:',
      language: 'go',
      code: `func fetchAll(ctx context.Context, urls []string) ([]Page, error) {
	pages := make([]Page, len(urls))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for index, url := range urls {
		group.Go(func() error {
			page, err := fetch(ctx, url)
			if err != nil {
				return fmt.Errorf("fetch %s: %w", url, err)
			}
			pages[index] = page
			return nil
		})
	}
	return pages, group.Wait()
}`,
      notes: [
        '**`SetLimit(8)`** is the whole of the queue: the ninth call of `Go` waits.',
        'Each worker writes to its own element, so no lock is needed.',
        'The group’s context is cancelled by the first error, and the others give up early.',
        '`%w` keeps the cause, so that `errors.Is` still finds it.',
      ],
    },
    {
      lead: 'The same in TypeScript, where the workers are promises:',
      language: 'typescript',
      code: `export async function forEachLimited<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}`,
      notes: ['All workers draw from one iterator, which is the queue.', 'Items are made only when a worker asks.'],
    },
  ],
  steps: [
    { text: 'Find the scarce thing.', details: ['Connections.', 'Memory.', 'A rate limit.'] },
    { text: 'Limit it in one place.', details: ['A pool, a semaphore, a group.'] },
    { text: 'Decide what a failure means.', details: ['Stop all.', 'Or gather the errors and go on.'] },
  ],
  table: {
    lead: 'Where to start with the limit:',
    header: ['The work is', 'Workers'],
    rows: [
      ['computing', 'one for each core'],
      ['waiting for one server', '4 to 16'],
      ['reading one disk', '2 to 4'],
    ],
  },
  quote: 'More workers make a queue shorter only until they queue for something else.',
  tasks: ['Set a limit', 'Pass the context down', 'Run the tests with the race detector'],
  reference: 'The error group is part of [golang.org/x/sync](https://pkg.go.dev/golang.org/x/sync/errgroup).',
  remarks: [
    'Whoever starts a goroutine should know when it ends.',
    'An unbounded queue turns a slow server into a full memory.',
    'Order is lost when work is shared, so carry the index along.',
    'Measure with the real server: on a laptop everything is fast.',
    'Cancel what is no longer wanted, because it still takes a place in the queue.',
  ],
};
