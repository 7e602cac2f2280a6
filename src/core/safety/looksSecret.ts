import {
  secretEndings,
  secretFileNames,
  secretFolderNames,
  secretInFolder,
  secretPaths,
  secretPatterns,
  secretWords,
  translationFolder,
} from './secretNames.ts';

/** What editors and people append to the name of a file when they keep a copy. */
const copyEnding = /(?:~|\.(?:bak|backup|old|orig|save))$/;
/** What VS Code, file managers, and browsers add to a name that exists: ` copy`, ` copy 2`, ` - Copy`, ` (1)`. */
const copyMark = /(?: (?:- )?copy(?: \d+)?| \(\d+\))+(?=\.[^.]+$|$)/;

/** Characters in a name that macOS ignores when it looks for the file. */
const ignoredInNames = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const plainAscii = /^[\x20-\x7e]*$/;
/** A URL that was escaped more often than this isn't a plausible file name. */
const mostDecodings = 3;

/**
 * Whether a file's path suggests that it contains passwords or keys. Such a file is only sent after a separate
 * question, and is left out when several files are added at once.
 *
 * A path counts in every form that some system treats as the same file: any case, `/` or `\`, escaped as in a URL, with
 * the dots, spaces, and stream names that Windows drops. A false alarm only costs a question.
 */
export function looksSecret(path: string): boolean {
  return forms(path).some((form) => {
    const folders = form.split(/[\\/]+/).map(asSystemsRead);
    const names = candidates(folders.pop() ?? '');
    const parents = folders.map(candidates);
    return (
      names.some((name) => isSecretName(name, parents)) || parents.flat().some((each) => secretFolderNames.has(each))
    );
  });
}

/** @param parents the folders that contain it, outermost first, each with all its names */
function isSecretName(name: string, parents: readonly (readonly string[])[]): boolean {
  return (
    secretFileNames.has(name) ||
    (name.includes('.') && secretEndings.has(name.slice(name.lastIndexOf('.') + 1))) ||
    secretPatterns.test(name) ||
    (secretWords.test(name) && !parents.flat().some((folder) => translationFolder.test(folder))) ||
    (secretInFolder.name.test(name) && parents.at(-1)?.some((folder) => secretInFolder.folder.test(folder)) === true) ||
    isSecretPath(name, parents)
  );
}

function isSecretPath(name: string, parents: readonly (readonly string[])[]): boolean {
  return secretPaths.some(({ file, folders }) => {
    if (file !== name || folders.length > parents.length) return false;
    return folders.every((folder, index) => parents.at(index - folders.length)?.includes(folder) === true);
  });
}

/** The path unchanged, and unescaped. */
function forms(path: string): readonly string[] {
  const found = [path];
  for (let at = 0; at < mostDecodings; at += 1) {
    const decoded = unescaped(found.at(-1) ?? '');
    if (found.includes(decoded)) break;
    found.push(decoded);
  }
  return found;
}

/** A single `%` that escapes nothing must not prevent the others from being decoded. */
function unescaped(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) =>
    new TextDecoder().decode(Uint8Array.from(escapes.slice(1).split('%'), (code) => Number.parseInt(code, 16))),
  );
}

/**
 * Names that differ only in case, width, accent order, or invisible marks are the same file on macOS. Its file system
 * uses full case folding: `ß` equals `ss` there, which only uppercase reveals.
 */
function asSystemsRead(name: string): string {
  // This runs for every file in a folder.
  if (plainAscii.test(name)) return name.toLowerCase();
  const plain = name.normalize('NFKC').replaceAll(ignoredInNames, '');
  return plain.toLowerCase().toUpperCase().toLowerCase();
}

/**
 * The name; what Windows makes of it, without a stream (`name:stream`) and without dots or spaces at the end; and what
 * it's a copy of.
 */
function candidates(name: string): readonly string[] {
  const [beforeStream = ''] = name.split(':', 1);
  const found = [name, name.replace(/[. ]+$/, ''), beforeStream.replace(/[. ]+$/, '')];
  return [...new Set([...found, ...found.map((each) => each.replace(copyEnding, '').replace(copyMark, ''))])];
}
