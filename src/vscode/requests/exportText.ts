import { type LoggedRequest, newestFirst } from '../../core/requestLog.ts';
import { csvOf, requestColumns, requestRow } from '../../core/requestExport.ts';
import type { RequestBodies } from './requestStore.ts';

/** What an export reads: the whole log, a file at a time, the newest first. */
export interface ExportSource {
  files(): AsyncIterable<{
    readonly requests: Iterable<LoggedRequest>;
    readonly bodies: () => Promise<ReadonlyMap<string, RequestBodies>>;
  }>;
}

/** The whole log as UTF-8, the newest request first. */
export async function exportText(source: ExportSource, form: 'jsonl' | 'jsonlWithBodies' | 'csv'): Promise<Uint8Array> {
  const parts: Uint8Array[] = form === 'csv' ? [Buffer.from(csvOf([requestColumns]))] : [];
  for await (const file of source.files()) {
    const bodies = form === 'jsonlWithBodies' ? await file.bodies() : undefined;
    const lines = newestFirst(file.requests).map((request) => {
      const row = requestRow(request, new Date(request.at).toISOString());
      return form === 'csv'
        ? csvOf([Object.values(row)])
        : `${JSON.stringify({ ...row, ...bodies?.get(request.id) })}\n`;
    });
    parts.push(Buffer.from(lines.join('')));
  }
  return Buffer.concat(parts);
}
