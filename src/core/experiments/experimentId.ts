import type { Experiment } from './experiment.ts';

/** IDs start with the kind, so that a list of one kind doesn't have to read the files of the others. */
export function experimentId(kind: Experiment['kind'], unique: string): string {
  return `${kind}-${unique}`;
}

/** A user's own question to several models, unlike the requests of checks and measurements. */
export function isComparisonId(id: string): boolean {
  return id.startsWith(experimentId('comparison', ''));
}
