import type { Topic } from './topic.ts';
import { bisecting } from './topics/bisecting.ts';
import { debouncing } from './topics/debouncing.ts';
import { errorsAsValues } from './topics/errorsAsValues.ts';
import { indexing } from './topics/indexing.ts';
import { layouts } from './topics/layouts.ts';
import { retrying } from './topics/retrying.ts';
import { testing } from './topics/testing.ts';
import { walkingLists } from './topics/walkingLists.ts';
import { workers } from './topics/workers.ts';

/** All that the writer knows; where a question names nothing of it, the first are the likeliest. */
export const topics: readonly Topic[] = [
  debouncing,
  retrying,
  walkingLists,
  testing,
  indexing,
  workers,
  layouts,
  errorsAsValues,
  bisecting,
];
