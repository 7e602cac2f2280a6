import type { UnsupportedFailure } from '../../shared/apiFailure.ts';
import { nonEmptyString, type JsonObject } from './decode.ts';
import { isRecord } from '../../shared/isRecord.ts';

/**
 * The failure for a service that works with jobs: it accepted the request and delivers later. Undefined for other JSON.
 */
export function jobFailureOf(json: unknown, requestId: string | undefined): UnsupportedFailure | undefined {
  return failureOf(possibleJobs(json).find(isJob), requestId);
}

/** The same where a result was expected, and a bare ID can't be anything but a job's. */
export function mediaJobFailureOf(json: unknown, requestId: string | undefined): UnsupportedFailure | undefined {
  return jobFailureOf(json, requestId) ?? failureOf(possibleJobs(json).find(isBareJob), requestId);
}

function failureOf(job: JsonObject | undefined, requestId: string | undefined): UnsupportedFailure | undefined {
  if (job === undefined) return undefined;
  const jobStatus = statusOf(job)?.slice(0, 200) ?? '';
  const ofRequest = requestId === undefined ? {} : { requestId };
  return { kind: 'unsupported', what: 'job', jobId: idOf(job), jobStatus, ...ofRequest };
}

function possibleJobs(json: unknown): readonly JsonObject[] {
  return isRecord(json) ? [json, json['data'], json['job'], json['output']].filter(isRecord) : [];
}

function isJob(json: JsonObject): boolean {
  return idOf(json) !== '' && statusOf(json) !== undefined && !('choices' in json);
}

/** Many services put the request's own ID into every response, so an ID means a job only if it's the only field. */
function isBareJob(json: JsonObject): boolean {
  const isNamed = idIn(json['task_id']) !== '' || idIn(json['job_id']) !== '';
  return isNamed || (Object.keys(json).length === 1 && idOf(json) !== '');
}

function statusOf(json: JsonObject): string | undefined {
  return [json['status'], json['task_status']].find((status) => typeof status === 'string');
}

function idOf(json: JsonObject): string {
  return idIn(json['id'] ?? json['job_id'] ?? json['task_id'] ?? json['request_id']);
}

function idIn(id: unknown): string {
  return typeof id === 'number' ? String(id) : (nonEmptyString(id)?.slice(0, 200) ?? '');
}
