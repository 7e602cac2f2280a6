/** Whether a file is one that pages name and tests want to be missing. */
export function isMissingFile(url: string): boolean {
  return url.endsWith('/missing');
}
