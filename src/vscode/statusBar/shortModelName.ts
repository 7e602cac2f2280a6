import { plainLabel } from '../platform/plainLabel.ts';

/** Longer names push other items out of the status bar. The end of a name says more than its middle. */
const longestName = 32;

/** Local servers name a model after its file, which has no provider. */
const path = /^(\/|\.{1,2}\/|~\/)/;

/** A model's name for little space: without the provider, and shortened in the middle if it's long. */
export function shortModelName(id: string): string {
  const name = path.test(id) ? id : id.slice(id.indexOf('/') + 1) || id;
  return plainLabel(name.length <= longestName ? name : `${name.slice(0, 12)}…${name.slice(-(longestName - 13))}`);
}
