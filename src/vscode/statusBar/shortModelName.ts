import { plainLabel } from '../platform/plainLabel.ts';

/** Names longer than this push other items out of the bar; their end tells more than their middle. */
const longestName = 32;

/** Local servers call a model by its file: that has no provider. */
const path = /^(\/|\.{1,2}\/|~\/)/;

/** A model's name where there is little room: without the provider, its middle left out where it is long. */
export function shortModelName(id: string): string {
  const name = path.test(id) ? id : id.slice(id.indexOf('/') + 1) || id;
  return plainLabel(name.length <= longestName ? name : `${name.slice(0, 12)}…${name.slice(-(longestName - 13))}`);
}
