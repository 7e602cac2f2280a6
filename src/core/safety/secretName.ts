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

/** What editors and people put behind the name of a file that they keep a copy of. */
const copyEnding = /(?:~|\.(?:bak|backup|old|orig|save))$/;
/** What VS Code, file managers, and browsers add to a name that is taken: ` copy`, ` copy 2`, ` - Copy`, ` (1)`. */
const copyMark = /(?: (?:- )?copy(?: \d+)?| \(\d+\))+(?=\.[^.]+$|$)/;

/** What macOS leaves out of a name when it looks for the file. */
const ignoredInNames = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const plainAscii = /^[\x20-\x7e]*$/;
/** An address that was escaped more often than this is no way to name a file. */
const mostDecodings = 3;

/**
 * Whether a file looks by its path as if it held passwords or keys. Such a file is sent only after a
 * question of its own, and left out where several files are taken at once.
 *
 * A path counts in every form that some system takes for the same file: any case, `/` or `\`, escaped as in a URL,
 * with the dots, spaces and stream names that Windows drops. A file that only looks alike is asked about once too often.
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

/** @param parents the folders it is in, outermost first, each by the names it goes by */
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

/** The path as it is, and with its escapes taken off. */
function forms(path: string): readonly string[] {
  const found = [path];
  for (let at = 0; at < mostDecodings; at += 1) {
    const decoded = unescaped(found.at(-1) ?? '');
    if (found.includes(decoded)) break;
    found.push(decoded);
  }
  return found;
}

/** A single `%` that escapes nothing must not keep the others from being read. */
function unescaped(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) =>
    new TextDecoder().decode(Uint8Array.from(escapes.slice(1).split('%'), (code) => Number.parseInt(code, 16))),
  );
}

/**
 * Names that differ only in case, width, accent order, or invisible marks are the same file on macOS. Its file system
 * folds case in full: `ß` is `ss` there, and only the uppercase tells.
 */
function asSystemsRead(name: string): string {
  // This is asked of every file in a folder.
  if (plainAscii.test(name)) return name.toLowerCase();
  const plain = name.normalize('NFKC').replaceAll(ignoredInNames, '');
  return plain.toLowerCase().toUpperCase().toLowerCase();
}

/** The name; what Windows makes of it: no stream (`name:stream`), no dots or spaces at the end; and what it is a copy of. */
function candidates(name: string): readonly string[] {
  const [beforeStream = ''] = name.split(':', 1);
  const found = [name, name.replace(/[. ]+$/, ''), beforeStream.replace(/[. ]+$/, '')];
  return [...new Set([...found, ...found.map((each) => each.replace(copyEnding, '').replace(copyMark, ''))])];
}
