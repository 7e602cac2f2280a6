// Long enough to distinguish variants: `-120b-instruct`.
const TAIL = 14;
// A shorter head isn't worth cutting off: the ID would start in the middle of a word.
const SHORTEST_HEAD = 6;

/**
 * A model ID in two parts, so that a narrow row can shorten it in the middle: the head is cut off, the tail stays.
 * Never splits a surrogate pair.
 */
export function splitModelId(id: string): { readonly head: string; readonly tail: string } {
  const characters = Array.from(id);
  const cut = characters.length < TAIL + SHORTEST_HEAD ? 0 : characters.length - TAIL;
  if (cut === 0) return { head: '', tail: id };
  return { head: characters.slice(0, cut).join(''), tail: characters.slice(cut).join('') };
}
