/** Whether one of the folders contains it, at any depth. All paths are absolute, with slashes, and none at the end. */
export function isUnder(path: string, folders: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (folders.has(path.slice(0, end))) return true;
  }
  return false;
}
