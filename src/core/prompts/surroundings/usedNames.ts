import { maskedCode } from './maskedCode.ts';

/** A name that the code uses, with its first position. */
export interface UsedName {
  readonly name: string;
  /** In UTF-16 units from the start of the code. */
  readonly offset: number;
}

/** Longer code isn't searched, because a selection of that size contains its own surroundings. */
const longestCode = 20_000;

/** Keywords of the most common languages. A missing one costs a request to VS Code that finds nothing. */
const keywords = new Set(
  `abstract as assert async await base bool boolean break byte case catch chan char class const continue crate def
  default defer del delete do double dyn elif else end enum except export extends extern false False final finally float
  fn for foreach from func function global go goto guard if impl implements import in include instanceof int interface
  internal is lambda let long loop map match mod module move mut namespace native new next nil None nonlocal not null
  number object of or and override package pass private protected protocol pub public raise range readonly ref
  require rescue return satisfies select self Self sizeof static str string struct super switch then this throw throws
  trait transient true True try type typeof undefined union unknown unsafe unless until use using val var virtual void
  volatile when where while with yield any never f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 usize isize error rune uint
  int8 int16 int32 int64 uint8 uint16 uint32 uint64`.split(/\s+/),
);

/**
 * The names that the code uses, most informative first: types and functions, then other names, then members. Names in
 * comments and strings don't count.
 * @param language VS Code's language ID
 * @param most maximum number of names
 */
export function usedNames(code: string, language: string, most: number): readonly UsedName[] {
  const masked = maskedCode(code.slice(0, longestCode), language);
  const found = new Map<string, UsedName & { readonly rank: number }>();
  for (const match of masked.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    const [name] = match;
    if (keywords.has(name) || name.length < 2) continue;
    const rank = rankOf(name, masked.slice(Math.max(0, match.index - 2), match.index), masked, match.index);
    const known = found.get(name);
    if (known === undefined || rank < known.rank) found.set(name, { name, offset: match.index, rank });
  }
  return [...found.values()]
    .toSorted((one, other) => one.rank - other.rank || one.offset - other.offset)
    .slice(0, most)
    .map(({ name, offset }) => ({ name, offset }));
}

function rankOf(name: string, before: string, code: string, at: number): number {
  const isCalled = /^\s*[(<!]/.test(code.slice(at + name.length, at + name.length + 8));
  const isMember = /\.#?$/.test(before);
  if (isMember) return isCalled ? 2 : 3;
  return isCalled || /^\p{Lu}/u.test(name) ? 0 : 1;
}
