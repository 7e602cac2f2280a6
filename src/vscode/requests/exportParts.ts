import { type LoggedRequest, newestFirst } from '../../core/requests/requestLog.ts';
import { csvOf } from '../../words/csv.ts';
import { requestColumns, requestRow } from '../../core/requests/requestExport.ts';
import type { RequestBodies } from './log/logStore.ts';

/** What an export reads: the whole history, one file at a time, newest first. */
export interface ExportSource {
  files(): AsyncIterable<{
    readonly requests: Iterable<LoggedRequest>;
    readonly bodies: () => Promise<ReadonlyMap<string, RequestBodies>>;
  }>;
}

/** The whole history as UTF-8, newest request first. In parts, because it might be larger than the free memory. */
export async function* exportParts(
  source: ExportSource,
  form: 'jsonl' | 'jsonlWithBodies' | 'csv',
): AsyncGenerator<Uint8Array> {
  if (form === 'csv') yield Buffer.from(csvOf([requestColumns]));
  for await (const file of source.files()) {
    const bodies = form === 'jsonlWithBodies' ? await file.bodies() : undefined;
    const lines = newestFirst(file.requests).map((request) => {
      const row = requestRow(request, new Date(request.at).toISOString());
      return form === 'csv'
        ? csvOf([Object.values(row)])
        : `${JSON.stringify({ ...row, ...bodies?.get(request.id) })}\n`;
    });
    yield Buffer.from(lines.join(''));
  }
}
