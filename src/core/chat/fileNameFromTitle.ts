const longestName = 60;

/**
 * A file name from a title: letters, digits, spaces, dashes and underscores of any script, and nothing a file system
 * reads. Without its ending.
 */
export function fileNameFromTitle(title: string, fallback: string): string {
  const words = title
    .replace(/[^\p{L}\p{N} _-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // By whole characters: half of one can't be written to disk.
  const name = Array.from(words).slice(0, longestName).join('').trim();
  return name === '' || isDeviceName(name) ? fallback : name;
}

/** Windows keeps these names for devices, whatever ending follows. */
export function isDeviceName(name: string): boolean {
  return /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])$/i.test(name);
}
