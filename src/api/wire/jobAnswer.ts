import type { UnsupportedFailure } from '../../shared/apiFailure.ts';
import { nonEmptyString, type JsonObject } from './decode.ts';
import { isRecord } from '../../shared/isRecord.ts';

/**
 * The failure for a service that works with jobs: it accepted the request and delivers later. Undefined for other JSON.
 */
export function jobFailureOf(json: unknown, requestId: string | undefined): UnsupportedFailure | undefined {
  if (!isRecord(json)) return undefined;
  const job = [json, json['data'], json['job']].filter(isRecord).find(isJob);
  if (job === undefined) return undefined;
  const jobStatus = nonEmptyString(job['status'])?.slice(0, 200) ?? '';
  const ofRequest = requestId === undefined ? {} : { requestId };
  return { kind: 'unsupported', what: 'job', jobId: idOf(job), jobStatus, ...ofRequest };
}

function isJob(json: JsonObject): boolean {
  return idOf(json) !== '' && typeof json['status'] === 'string' && !('choices' in json);
}

function idOf(json: JsonObject): string {
  const id = json['id'] ?? json['job_id'] ?? json['task_id'] ?? json['request_id'];
  return typeof id === 'number' ? String(id) : (nonEmptyString(id)?.slice(0, 200) ?? '');
}
