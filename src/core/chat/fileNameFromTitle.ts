const longestName = 60;

/**
 * A file name from a title, without an extension: letters, digits, spaces, dashes, and underscores of any script, and
 * nothing that is special to a file system.
 */
export function fileNameFromTitle(title: string, fallback: string): string {
  const words = title
    .replace(/[^\p{L}\p{N} _-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // Cut between whole characters: half of one can't be written to disk.
  const name = Array.from(words).slice(0, longestName).join('').trim();
  return name === '' || isDeviceName(name) ? fallback : name;
}

/** Windows reserves these names for devices, with any extension. */
export function isDeviceName(name: string): boolean {
  return /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])$/i.test(name);
}
