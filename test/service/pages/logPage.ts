import type { LogEntry } from '../inferenceLog.ts';
import { escapeHtml, page } from './page.ts';

interface Column {
  readonly title: string;
  readonly isNumber: boolean;
  readonly read: (entry: LogEntry) => string;
}

const columns: readonly Column[] = [
  { title: 'Time', isNumber: false, read: ({ at }) => new Date(at).toISOString().replace('T', ' ').slice(0, 23) },
  { title: 'Request ID', isNumber: false, read: ({ id }) => id },
  { title: 'Host', isNumber: false, read: ({ host }) => host },
  { title: 'Request', isNumber: false, read: ({ method, path }) => `${method} ${path}` },
  { title: 'Kind', isNumber: false, read: ({ kind }) => kind ?? '' },
  { title: 'Model', isNumber: false, read: ({ model }) => model ?? '' },
  { title: 'Stream', isNumber: false, read: ({ stream }) => (stream === undefined ? '' : stream ? 'yes' : 'no') },
  { title: 'Status', isNumber: true, read: ({ status }) => number(status, 0) },
  { title: 'Outcome', isNumber: false, read: outcome },
  { title: 'Prompt tokens', isNumber: true, read: ({ promptTokens }) => number(promptTokens, 0) },
  { title: 'Completion tokens', isNumber: true, read: ({ completionTokens }) => number(completionTokens, 0) },
  { title: 'Made', isNumber: false, read: ({ made }) => made ?? '' },
  { title: 'Cost', isNumber: true, read: ({ cost }) => number(cost, 6) },
  { title: 'First token, s', isNumber: true, read: ({ ttftSeconds }) => number(ttftSeconds, 3) },
  { title: 'Tokens/s', isNumber: true, read: ({ tps }) => number(tps, 1) },
  { title: 'Total, s', isNumber: true, read: ({ totalSeconds }) => number(totalSeconds, 3) },
];

/** The inference log as a page; `entries` in display order. */
export function logPage(entries: readonly LogEntry[]): string {
  const head = columns.map(({ title }) => `<th scope="col">${escapeHtml(title)}</th>`).join('');
  const rows = entries.map(
    (entry) =>
      `<tr class="${entry.outcome}">${columns
        .map(({ isNumber, read }) => `<td${isNumber ? ' class="number"' : ''}>${escapeHtml(read(entry))}</td>`)
        .join('')}</tr>`,
  );
  return page(
    'Inference log',
    `<p>${entries.length} requests, newest first. Times are UTC. The same as JSON, with request bodies: <a href="/log.json">/log.json</a>. Ways to break things: <a href="/faults">/faults</a></p>
<table class="log">
<thead><tr>${head}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`,
  );
}

function outcome({ outcome: word, canceledAfterMs, error }: LogEntry): string {
  if (canceledAfterMs !== undefined) return `${word} after ${number(canceledAfterMs, 0)} ms`;
  return error ? `${word}: ${error.code}` : word;
}

function number(value: number | undefined, digits: number): string {
  return value === undefined ? '' : value.toFixed(digits);
}
