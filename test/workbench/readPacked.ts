import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;

/**
 * Reads a text file from a .vsix, which is a ZIP file.
 * @param name its path there, for example `extension/readme.md`, in any case.
 * @throws {Error} if it isn't there.
 */
export async function readPacked(vsix: string, name: string): Promise<string> {
  const zip = await readFile(vsix);
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== endOfDirectory) end -= 1;
  const names: string[] = [];
  let at = end < 0 ? zip.length : zip.readUInt32LE(end + 16);
  while (at + 46 <= zip.length && zip.readUInt32LE(at) === directoryEntry) {
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28);
    const found = zip.toString('utf8', at + 46, nameEnd);
    if (found.toLowerCase() === name.toLowerCase()) {
      const local = zip.readUInt32LE(at + 42);
      const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const packed = zip.subarray(from, from + zip.readUInt32LE(at + 20));
      return (zip.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed)).toString('utf8');
    }
    names.push(found);
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`${vsix} has no ${name}, only ${names.join(', ')}`);
}
